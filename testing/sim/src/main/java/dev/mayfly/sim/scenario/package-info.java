/**
 * The initial state of a world and its planned actions: clusters, jobs, operator actions and kinds
 * of faults.
 *
 * <p>Start with {@link dev.mayfly.sim.scenario.Scenario}; {@link
 * dev.mayfly.sim.scenario.ScenarioGenerator} draws one from a seed.
 */
@NullMarked
package dev.mayfly.sim.scenario;

import org.jspecify.annotations.NullMarked;
