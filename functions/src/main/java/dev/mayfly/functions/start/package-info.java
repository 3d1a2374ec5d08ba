/**
 * Fast starts of a function's process: {@link dev.mayfly.functions.start.BundledRuntime} hands over
 * to the archive's runtime, whose cache {@link dev.mayfly.functions.start.AotTrainingMain} trains
 * when the archive is built.
 *
 * <p><b>Rule:</b> functions must work without this package, only with a slower start.
 */
@NullMarked
package dev.mayfly.functions.start;

import org.jspecify.annotations.NullMarked;
