/**
 * What must be true of a world, seen by an observer who sees everything.
 *
 * <p>Start with {@link dev.mayfly.sim.check.Truth}, which is all that the observer knows, and
 * {@link dev.mayfly.sim.check.Check}; {@link dev.mayfly.sim.check.Checks} lists them.
 *
 * <p><b>Rule:</b> a check looks and never acts.
 */
@NullMarked
package dev.mayfly.sim.check;

import org.jspecify.annotations.NullMarked;
