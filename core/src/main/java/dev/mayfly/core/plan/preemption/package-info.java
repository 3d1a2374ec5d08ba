/**
 * Which running tasks end for a waiting job of a higher priority, on pools that allow it.
 *
 * <p>Start with {@link dev.mayfly.core.plan.preemption.RunningPreemptionPlanner}.
 */
@NullMarked
package dev.mayfly.core.plan.preemption;

import org.jspecify.annotations.NullMarked;
