package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.UnaskedAccelerators;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.function.Predicate;

/**
 * The room that a job requests: for all of its open tasks wherever it may run; or first for tasks
 * that spot machines lost too often, which need other machines; or, near its deadline, for all of
 * them, on demand if possible.
 *
 * @param job with the placement of these tasks
 * @param open how many tasks
 * @param pools to launch in, in this order
 * @param why appended to the reason of a launch
 */
record ResourceRequest(JobDemand job, long open, List<PoolSpec> pools, String why) {
  ResourceRequest {
    pools = List.copyOf(pools);
  }

  static List<ResourceRequest> of(JobDemand job, long open, ClusterSpec spec, Instant now) {
    var urgency = job.urgency();
    if (urgency.deadline().isPresent())
      return List.of(late(job, open, spec, urgency.deadline().get(), now));
    var spent = Math.min(urgency.spent(), open);
    if (spent == 0) return List.of(new ResourceRequest(job, open, spec.pools(), ""));
    return List.of(
        spent(job, spent, spec), new ResourceRequest(job, open - spent, spec.pools(), ""));
  }

  /** Pools with accelerators that the job did not request come last. */
  List<PoolSpec> poolsInOrder() {
    var plain = new ArrayList<PoolSpec>();
    var accelerated = new ArrayList<PoolSpec>();
    for (var pool : pools)
      (UnaskedAccelerators.has(pool, job.need()) ? accelerated : plain).add(pool);
    plain.addAll(accelerated);
    return plain;
  }

  /** Why machines of the pool are launched for so many of its tasks. */
  String reason(PoolSpec pool, long tasks) {
    return (tasks == 1 ? "1 task of job %s has no room" : tasks + " tasks of job %s have no room")
            .formatted(job.name())
        + UnaskedAccelerators.why(pool, job.need())
        + (pool.provisioning() == Provisioning.SPOT ? "" : why);
  }

  ResourceRequest withOpen(long tasks) {
    return new ResourceRequest(job, tasks, pools, why);
  }

  /**
   * Whether nothing can be launched for it: no pool that it may use has machines other than spot.
   */
  boolean nowhere() {
    return pools.isEmpty();
  }

  private static ResourceRequest spent(JobDemand job, long tasks, ClusterSpec spec) {
    var pools = pools(job.place(), spec, p -> p.provisioning() != Provisioning.SPOT);
    var n = job.urgency().preemptions();
    var why = ": %s preempted or lost, on demand now".formatted(HumanAmounts.count(n, "attempt"));
    return new ResourceRequest(only(job, pools), tasks, pools, why);
  }

  /** Any pool helps; spot pools, which can be preempted at any moment, come last. */
  private static ResourceRequest late(
      JobDemand job, long tasks, ClusterSpec spec, Instant deadline, Instant now) {
    var pools = new ArrayList<>(pools(job.place(), spec, _ -> true));
    pools.sort(Comparator.comparing(p -> p.provisioning() == Provisioning.SPOT));
    var left = java.time.Duration.between(now, deadline);
    var why =
        left.isNegative()
            ? ": its deadline passed %s ago, on demand now"
                .formatted(HumanDuration.result(left.negated()))
            : ": its deadline is in %s, on demand now".formatted(HumanDuration.result(left));
    return new ResourceRequest(only(job, pools), tasks, pools, why);
  }

  private static List<PoolSpec> pools(
      Placement placement, ClusterSpec spec, Predicate<PoolSpec> which) {
    return spec.pools().stream()
        .filter(p -> placement.allowsFallbackPool(p.name()))
        .filter(which)
        .toList();
  }

  private static JobDemand only(JobDemand job, List<PoolSpec> pools) {
    if (pools.isEmpty()) return job;
    return job.at(job.place().withPools(pools.stream().map(PoolSpec::name).toList()));
  }

  /** The requests in the order of the queue. */
  static List<ResourceRequest> inOrder(List<ResourceRequest> lacking, List<ResourceRequest> queue) {
    var places = new HashMap<JobDemand, Integer>();
    for (var request : queue) places.putIfAbsent(request.job(), places.size());
    return lacking.stream().sorted(Comparator.comparing(r -> places.get(r.job()))).toList();
  }
}
