package dev.mayfly.core.plan;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.List;
import java.util.Map;

/**
 * Decides what to launch and what to let end, from one view of a cluster.
 *
 * <p><b>Must:</b>
 *
 * <ul>
 *   <li>never go above a pool's maximum, and count workers in flight and those that still drain;
 *   <li>never ask a zone that is thought to be out of stock, nor for a shape that is too small;
 *   <li>never drain below a pool's minimum, except workers that can run no task, and idle workers
 *       or workers in flight while the cluster is above its budget;
 *   <li>never drain a worker that open tasks need, except workers that can run no task, and workers
 *       in flight above the budget;
 *   <li>gather a gang in one zone, and leave what it waits with to nobody else, but to jobs of a
 *       higher priority;
 *   <li>launch nothing that takes what the cluster's machines cost an hour above its budget;
 *   <li>ask for no more TPUs than the project may in a minute, nor for a slice by hand before the
 *       chips of the one that it replaces are back;
 *   <li>launch nothing for a cluster that is going, and at most {@value #LAUNCHES} machines a
 *       round;
 *   <li>give equal plans for equal views.
 * </ul>
 *
 * <p><b>Goals</b>, first to last: the jobs in the order of their turns; no machine where one that
 * is there or in flight has room; no accelerators that a job does not ask for; the pools in the
 * spec's order, cheapest first; the zone that refused least; nothing left switched on.
 *
 * <p>Its cost grows with workers and jobs, never with tasks.
 */
public final class Planner {
  static final int LAUNCHES = 500;

  private Planner() {}

  /**
   * The decisions, drains first; whatever is wanted and not possible is among them with its
   * reasons.
   */
  public static List<PlanDecision> plan(ClusterSnapshot clusterSnapshot) {
    return planWithReasons(clusterSnapshot).decisions();
  }

  /** The decisions with all that is said beside them. */
  public static Plan planWithReasons(ClusterSnapshot clusterSnapshot) {
    if (clusterSnapshot.cluster().phase() != Cluster.Phase.UP)
      return new Plan(DrainPlanner.all(clusterSnapshot), List.of(), List.of(), Map.of());
    var ending = DrainPlanner.unwanted(clusterSnapshot);
    var planBuilder = new PlanBuilder(clusterSnapshot, ending);
    for (var pool : clusterSnapshot.cluster().spec().pools()) planBuilder.keepMinimum(pool);
    for (var job : clusterSnapshot.jobs()) planBuilder.serve(job);
    return planBuilder.plan(ending);
  }
}
