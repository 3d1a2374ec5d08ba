package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The machines that jobs want and do not get in a plan in progress: each limit is told by them. */
final class UnmetDemand {
  private final ClusterSnapshot clusterSnapshot;
  private final Map<String, Integer> machines = new HashMap<>();

  UnmetDemand(ClusterSnapshot clusterSnapshot) {
    this.clusterSnapshot = clusterSnapshot;
  }

  void add(PoolSpec pool, int more) {
    machines.merge(pool.name(), more, Integer::sum);
  }

  /**
   * How many machines of the pool others get before the job gets one more: the jobs before it, and
   * other owners of its priority, who share with it.
   */
  int before(PoolSpec pool, Optional<JobDemand> job) {
    return machines.getOrDefault(pool.name(), 0) + job.map(it -> sharing(pool, it)).orElse(0);
  }

  private int sharing(PoolSpec pool, JobDemand job) {
    return clusterSnapshot.jobs().stream()
        .dropWhile(other -> !other.job().equals(job.job()))
        .filter(other -> other.standing().priority() == job.standing().priority())
        .filter(other -> !other.standing().owner().equals(job.standing().owner()))
        .filter(other -> Feasibility.why(other.need(), other.place(), pool).isEmpty())
        .mapToInt(other -> machines(pool, other, other.ready()))
        .sum();
  }

  /** How many machines take so many tasks; a plan has no more. */
  static int machines(PoolSpec pool, JobDemand job, long tasks) {
    return (int) Math.min(Planner.LAUNCHES, needed(pool, job, tasks));
  }

  /** How many machines take so many tasks at once. */
  static long needed(PoolSpec pool, JobDemand job, long tasks) {
    if (job.gang() > 1) return tasks * job.gang();
    var slots = TpuTypes.isOneHost(pool.machineType()) ? pool.visible().slots(job.need()) : 1;
    return Math.ceilDiv(tasks, slots);
  }
}
