/**
 * A deterministic world: virtual time, seeded faults, a fake for every port.
 *
 * <p>Start with {@link dev.mayfly.sim.World}; {@link dev.mayfly.sim.Scenarios} draws one from a
 * seed, {@link dev.mayfly.sim.Run} lives it, and {@link dev.mayfly.sim.Main} runs many. {@code
 * docs/simulation.md} has the faults and the checks.
 */
@NullMarked
package dev.mayfly.sim;

import org.jspecify.annotations.NullMarked;
