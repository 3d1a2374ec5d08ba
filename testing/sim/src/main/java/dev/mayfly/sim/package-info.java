/**
 * A deterministic simulation of a whole deployment: one seed, one trace.
 *
 * <p>Start with {@link dev.mayfly.sim.Main}, which runs many seeds, and {@link
 * dev.mayfly.sim.SimulationRun}, which runs one.
 */
@NullMarked
package dev.mayfly.sim;

import org.jspecify.annotations.NullMarked;
