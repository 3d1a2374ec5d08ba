/**
 * What a world begins with and what will be done to it: clusters, jobs, operator actions and the
 * kinds of faults.
 *
 * <p>Start with {@link dev.mayfly.sim.scenario.Scenario}; {@link
 * dev.mayfly.sim.scenario.ScenarioGenerator} draws one from a seed.
 */
@NullMarked
package dev.mayfly.sim.scenario;

import org.jspecify.annotations.NullMarked;
