/**
 * One simulated world: the real control plane and the real agents over fakes, with users, outages
 * and faults.
 *
 * <p>Start with {@link dev.mayfly.sim.world.World}; {@link dev.mayfly.sim.world.InstanceRouter} and
 * {@link dev.mayfly.sim.world.FunctionInstance} are the control plane's side, {@link
 * dev.mayfly.sim.world.SimHost} and {@link dev.mayfly.sim.world.AgentProcess} the machines' side,
 * {@link dev.mayfly.sim.world.FaultSchedule} and {@link dev.mayfly.sim.world.Mutant} what goes
 * wrong.
 */
@NullMarked
package dev.mayfly.sim.world;

import org.jspecify.annotations.NullMarked;
