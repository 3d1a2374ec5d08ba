/**
 * The invariants of what machines cost.
 *
 * <p>Start with {@link dev.mayfly.sim.check.money.UsageAddsUp}. An invariant observes and never
 * acts.
 */
@NullMarked
package dev.mayfly.sim.check.money;

import org.jspecify.annotations.NullMarked;
