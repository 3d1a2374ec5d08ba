package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Explains which tasks of a job are for on-demand machines now, and what these wait for. */
final class OnDemandReasons {
  private static final int MOST_SHARDS = 100;

  private final Ledger ledger;
  private final Instant now;

  OnDemandReasons(Ledger ledger, Instant now) {
    this.ledger = ledger;
    this.now = now;
  }

  List<JobExplanation.Reason> of(Cluster cluster, Job job, List<Worker> workers) {
    var wish = job.spec().retries().onDemand();
    var reasons = new ArrayList<JobExplanation.Reason>();
    if (!wish.asked()) return reasons;
    var spent = wish.preemptions() == 0 ? 0 : spent(job);
    if (spent > 0)
      reasons.add(
          new JobExplanation.Reason(
              "on-demand",
              "%s in ranges with a task of which %s or more were preempted or lost: on-demand now, no longer on spot machines"
                  .formatted(
                      HumanAmounts.count(spent, "task") + (spent == 1 ? " waits" : " wait"),
                      HumanAmounts.count(wish.preemptions(), "attempt"))));
    var urgent = wish.urgentFrom(job.submittedAt()).filter(from -> !now.isBefore(from));
    wish.urgentFrom(job.submittedAt())
        .map(from -> deadline(from, from.plus(wish.before()), now))
        .ifPresent(text -> reasons.add(new JobExplanation.Reason("on-demand", text)));
    if (spent > 0 || urgent.isPresent())
      for (var pool : cluster.spec().pools()) pool(job, pool, workers, reasons);
    return reasons;
  }

  private long spent(Job job) {
    return ledger
        .query(new LedgerQuery.SpentShards(job.cluster(), job.uid(), MOST_SHARDS))
        .readableOnly()
        .stream()
        .mapToLong(s -> s.value().open())
        .sum();
  }

  /**
   * @param from when its open tasks may use on-demand machines
   */
  static String deadline(Instant from, Instant deadline, Instant now) {
    if (from.isAfter(now))
      return "its deadline is in %s: on-demand in %s, for what is open then"
          .formatted(HumanDuration.between(now, deadline), HumanDuration.between(now, from));
    return deadline.isAfter(now)
        ? "its deadline is in %s: on-demand now"
            .formatted(HumanDuration.result(Duration.between(now, deadline)))
        : "its deadline passed %s: on-demand now"
            .formatted(HumanDuration.result(Duration.between(deadline, now)) + " ago");
  }

  private static void pool(
      Job job, PoolSpec pool, List<Worker> workers, List<JobExplanation.Reason> reasons) {
    var placement = job.spec().place();
    if (pool.provisioning() == Provisioning.SPOT || !placement.allowsFallbackPool(pool.name()))
      return;
    var live =
        workers.stream()
            .filter(w -> w.pool().equals(pool.name()) && w.state().live())
            .toList()
            .size();
    reasons.add(
        new JobExplanation.Reason(
            "on-demand", "pool %s has %d of %d workers".formatted(pool.name(), live, pool.max())));
  }
}
