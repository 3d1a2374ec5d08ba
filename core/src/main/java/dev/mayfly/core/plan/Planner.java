package dev.mayfly.core.plan;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.List;
import java.util.Map;

/**
 * Decides what to launch and what to drain, from one snapshot of a cluster.
 *
 * <p><b>Must:</b>
 *
 * <ul>
 *   <li>never exceed a pool's maximum, counting workers in flight and draining ones;
 *   <li>never ask a zone that is believed out of stock, nor for a shape that is too small;
 *   <li>never drain below a pool's minimum, except workers that can run no task, and idle workers
 *       or workers in flight while the cluster is above its budget;
 *   <li>never drain a worker that open tasks need, except workers that can run no task, and workers
 *       in flight above the budget;
 *   <li>form a gang in one zone, and leave its waiting workers only to jobs of a higher priority;
 *   <li>launch nothing that raises the hourly cost above the budget, nor what could not work for an
 *       hour within the month's;
 *   <li>ask for no more TPUs than the project may in a minute, nor for a manual slice before the
 *       chips of the slice that it replaces are free;
 *   <li>launch nothing for tasks that their owner may not run yet;
 *   <li>launch nothing for a cluster that goes down, and at most {@value #LAUNCHES} machines at
 *       once;
 *   <li>return equal plans for equal snapshots.
 * </ul>
 *
 * <p><b>Goals</b>, first to last: jobs in the order of the queue; no launch where a worker that is
 * ready or in flight has room; no accelerators that a job does not ask for; pools in the spec's
 * order, cheapest first; the zone with the fewest refusals; no machine left running unused.
 *
 * <p>Its cost grows with workers and jobs, never with tasks.
 */
public final class Planner {
  static final int LAUNCHES = 500;

  private Planner() {}

  /** The decisions, drains first. */
  public static List<PlanDecision> plan(ClusterSnapshot clusterSnapshot) {
    return planWithReasons(clusterSnapshot).decisions();
  }

  /** The decisions together with kept workers, and why jobs and pools wait. */
  public static Plan planWithReasons(ClusterSnapshot observed) {
    if (observed.cluster().phase() != Cluster.Phase.UP)
      return new Plan(
          DrainPlanner.all(observed), List.of(), List.of(), Map.of(), Map.of(), Map.of());
    var taskLimits = new TaskLimits(observed.jobs(), observed.cluster().spec());
    var clusterSnapshot = observed.withJobs(taskLimits.demands());
    var ending = DrainPlanner.unwanted(clusterSnapshot);
    var inOrder = build(clusterSnapshot, ending, taskLimits, false);
    if (inOrder.packingMatters() && !inOrder.launches().isEmpty()) {
      var packed = build(clusterSnapshot, ending, taskLimits, true);
      if (isBetter(packed, inOrder)) return packed.plan(ending);
    }
    return inOrder.plan(ending);
  }

  /**
   * Packed together, a task may get its machine before one ahead of it in the queue: only where all
   * of them get room, and it takes fewer machines.
   */
  private static boolean isBetter(PlanBuilder packed, PlanBuilder inOrder) {
    return packed.isComplete()
        && inOrder.starved().containsAll(packed.starved())
        && (!inOrder.isComplete() || Packing.isSmaller(packed.launches(), inOrder.launches()));
  }

  private static PlanBuilder build(
      ClusterSnapshot clusterSnapshot,
      Map<String, PlanDecision.Drain> ending,
      TaskLimits taskLimits,
      boolean packs) {
    var planBuilder = new PlanBuilder(clusterSnapshot, ending, packs);
    planBuilder.limit(taskLimits.vetoes());
    for (var pool : clusterSnapshot.cluster().spec().pools()) planBuilder.keepMinimum(pool);
    for (var run : Packing.runs(clusterSnapshot.jobs())) planBuilder.serve(run);
    for (var pool : clusterSnapshot.cluster().spec().pools()) planBuilder.keepSpare(pool);
    return planBuilder;
  }
}
