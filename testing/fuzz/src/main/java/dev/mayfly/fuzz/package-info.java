/**
 * Malformed bytes for every place that reads bytes from outside. Start with {@link
 * dev.mayfly.fuzz.FuzzTarget}; Jazzer calls {@link dev.mayfly.fuzz.Main}.
 */
@NullMarked
package dev.mayfly.fuzz;

import org.jspecify.annotations.NullMarked;
