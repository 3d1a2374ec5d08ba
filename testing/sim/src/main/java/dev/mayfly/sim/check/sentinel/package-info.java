/**
 * Invariants of sentinels and what they promise: each is one {@link
 * dev.mayfly.sim.observation.Invariant}.
 *
 * <p>Start with {@link dev.mayfly.sim.check.sentinel.ResultWasComputed}.
 */
@NullMarked
package dev.mayfly.sim.check.sentinel;

import org.jspecify.annotations.NullMarked;
