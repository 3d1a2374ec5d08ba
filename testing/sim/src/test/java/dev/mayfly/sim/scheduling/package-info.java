/**
 * Hours of a cluster with too few machines, in whole worlds: order of jobs, fair share, on-demand
 * machines.
 *
 * <p>Start with {@link dev.mayfly.sim.scheduling.SchedulingTest}.
 */
@NullMarked
package dev.mayfly.sim.scheduling;

import org.jspecify.annotations.NullMarked;
