/**
 * What to start and what to stop, from one view of a cluster.
 *
 * <p>Start with {@link dev.mayfly.core.plan.Planner}, which takes a {@link
 * dev.mayfly.core.plan.View} and gives {@link dev.mayfly.core.plan.Decision}s, each with its
 * reason. {@link dev.mayfly.core.plan.Feasibility} refuses a job that no worker of the cluster
 * could ever run.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.plan;

import org.jspecify.annotations.NullMarked;
