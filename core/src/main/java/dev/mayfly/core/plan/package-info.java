/**
 * Decides which machines to launch, drain and keep, from one snapshot of a cluster.
 *
 * <p>Start with {@link dev.mayfly.core.plan.Planner}, then {@link
 * dev.mayfly.core.plan.PlanBuilder}; {@link dev.mayfly.core.plan.Feasibility} rejects a job that no
 * worker could ever run.
 */
@NullMarked
package dev.mayfly.core.plan;

import org.jspecify.annotations.NullMarked;
