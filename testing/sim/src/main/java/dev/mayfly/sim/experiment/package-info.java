/**
 * Answers what would happen: a cluster and its jobs in a world whose zones, boots and tasks are
 * described, run by the real control plane and the real agents in virtual time. Start with {@link
 * dev.mayfly.sim.experiment.Experiment}; {@link dev.mayfly.sim.experiment.ExperimentRun} runs it.
 */
@NullMarked
package dev.mayfly.sim.experiment;

import org.jspecify.annotations.NullMarked;
