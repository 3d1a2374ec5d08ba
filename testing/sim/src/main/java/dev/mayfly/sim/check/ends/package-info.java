/**
 * The invariants of ends that Mayfly brings about: of processes, workers and machines.
 *
 * <p>Start with {@link dev.mayfly.sim.check.ends.GraceGiven}. An invariant observes and never acts.
 */
@NullMarked
package dev.mayfly.sim.check.ends;

import org.jspecify.annotations.NullMarked;
