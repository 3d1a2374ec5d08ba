/**
 * How a function's process starts fast: {@link dev.mayfly.functions.start.BundledRuntime} hands
 * over to the runtime that the archive brings, whose cache {@link
 * dev.mayfly.functions.start.AotTrainingMain} trains when the archive is made.
 *
 * <p><b>Rule:</b> nothing here is needed for a function to work; without it a start is slower.
 */
@NullMarked
package dev.mayfly.functions.start;

import org.jspecify.annotations.NullMarked;
