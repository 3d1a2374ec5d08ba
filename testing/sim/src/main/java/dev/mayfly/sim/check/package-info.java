/**
 * The invariants that are checked after every step of a world.
 *
 * <p>Start with {@link dev.mayfly.sim.observation.Invariant}, then {@link
 * dev.mayfly.sim.check.InvariantSet}, which lists them all. An invariant observes and never acts.
 */
@NullMarked
package dev.mayfly.sim.check;

import org.jspecify.annotations.NullMarked;
