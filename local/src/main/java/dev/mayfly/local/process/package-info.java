/**
 * Processes that end with the one that started them. Start at {@link
 * dev.mayfly.local.process.Child}.
 */
@NullMarked
package dev.mayfly.local.process;

import org.jspecify.annotations.NullMarked;
