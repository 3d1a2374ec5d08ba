package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.capacity.LeasePreemptionRules;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.share.FairShareRule;
import dev.mayfly.core.plan.share.LaterTurn;
import dev.mayfly.core.plan.share.OwnerShare;
import dev.mayfly.core.plan.share.ShareCount;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is served before a job: the jobs before it in the queue, and other owners. */
final class QueuePlace {
  private final ClusterSnapshot clusterSnapshot;
  private final Plan plan;
  private final Map<String, Long> running;
  private final FairShareRule rule;

  QueuePlace(ClusterSnapshot clusterSnapshot, Plan plan) {
    this.clusterSnapshot = clusterSnapshot;
    this.plan = plan;
    rule = clusterSnapshot.shareRule();
    running = LeasePreemptionRules.slots(clusterSnapshot.workers());
  }

  List<Veto> of(JobDemand job) {
    var vetoes = new ArrayList<Veto>();
    var ahead = ahead(job);
    if (!ahead.isEmpty()) vetoes.add(new JobVeto.Ahead(ahead));
    var shares = shares(job);
    if (shares.size() > 1)
      vetoes.add(new JobVeto.Shares(job.standing().priority(), shares, later(job, shares)));
    return vetoes;
  }

  /**
   * The jobs before it that wait for workers which it could use: those of a higher priority, and
   * the older ones of its owner. Owners of one priority are served by their shares, whoever came
   * first.
   */
  private List<String> ahead(JobDemand job) {
    return clusterSnapshot.jobs().stream()
        .takeWhile(other -> !other.job().equals(job.job()))
        .filter(other -> !isShared(other, job))
        .filter(this::waits)
        .filter(other ->
            clusterSnapshot.cluster().spec().pools().stream()
                .anyMatch(pool -> compete(other, job, pool)))
        .map(other ->
            other.standing().owner().equals(job.standing().owner())
                ? other.name()
                : other.address())
        .toList();
  }

  private static boolean isShared(JobDemand one, JobDemand other) {
    return one.standing().priority() == other.standing().priority()
        && !one.standing().owner().equals(other.standing().owner());
  }

  private boolean waits(JobDemand job) {
    // What a worker holds for later waits for it too.
    var notBegun = job.leased() > running.getOrDefault(job.job(), 0L);
    return (job.ready() > 0 || notBegun)
        && plan.ofJob(job.job()).stream().noneMatch(LimitVeto.class::isInstance);
  }

  private static boolean compete(JobDemand one, JobDemand other, PoolSpec pool) {
    return mayUse(one, pool)
        && mayUse(other, pool)
        && pool.zones().stream()
            .anyMatch(zone -> one.place().allowsZone(zone) && other.place().allowsZone(zone))
        && !disjoint(one.place().workers(), other.place().workers());
  }

  /** Fallback pools serve urgent work of jobs that do not name them. */
  private static boolean mayUse(JobDemand job, PoolSpec pool) {
    return Feasibility.why(job.need(), job.place(), pool).isEmpty()
        || (PoolSpec.isFallback(pool.name())
            && job.place().allowsFallbackPool(pool.name())
            && pool.visible().fits(job.need()));
  }

  /** Whether both name workers but none in common. */
  private static boolean disjoint(List<String> some, List<String> others) {
    return !some.isEmpty() && !others.isEmpty() && Collections.disjoint(some, others);
  }

  /** Of each owner of its priority. */
  private List<OwnerShare> shares(JobDemand job) {
    var count = new ShareCount(rule);
    for (var other : clusterSnapshot.jobs())
      if (other.standing().priority() == job.standing().priority())
        count.add(
            other.standing().owner(), running.getOrDefault(other.job(), 0L), other.part(rule));
    return count.shares();
  }

  private Optional<LaterTurn> later(JobDemand job, List<OwnerShare> shares) {
    return clusterSnapshot
        .cluster()
        .spec()
        .limit()
        .shares()
        .halfLife()
        .flatMap(it -> LaterTurn.of(job.standing().owner(), shares, it, clusterSnapshot.now()));
  }
}
