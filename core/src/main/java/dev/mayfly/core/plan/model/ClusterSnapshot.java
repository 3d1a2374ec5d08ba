package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.share.FairShareRule;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All inputs of a plan, including the time.
 *
 * @param cluster without its minimum if it is unused
 * @param workers those that are not GONE, by name: ledgers give them in any order, and plans must
 *     not depend on it
 * @param jobs the running ones, in the order of the queue
 * @param stockouts of any zone and machine type
 * @param tpuCreations how many TPUs the project may request now, over all its clusters
 * @param unknown by pool, the number of workers with unreadable documents: machines that count,
 *     with unknown room
 * @param spentThisMonth what the machines of a cluster with {@code budget.usdPerMonth} have cost in
 *     this calendar month until now; empty if nobody looked
 * @param uses what owners ran lately, as it was counted last
 */
public record ClusterSnapshot(
    Instant now,
    Cluster cluster,
    List<Worker> workers,
    List<JobDemand> jobs,
    List<Stockout> stockouts,
    int tpuCreations,
    Map<String, Integer> unknown,
    Optional<MonthSpent> spentThisMonth,
    List<JobQueue.OwnerUse> uses) {
  public ClusterSnapshot {
    if (jobs.isEmpty()) cluster = UnusedCluster.effective(cluster, now);
    unknown = Map.copyOf(unknown);
    workers = workers.stream().sorted(Comparator.comparing(Worker::name)).toList();
    jobs = List.copyOf(jobs);
    stockouts = List.copyOf(stockouts);
    uses = List.copyOf(uses);
  }

  /** The rule by which owners share now. */
  public FairShareRule shareRule() {
    return FairShareRule.of(cluster.spec(), uses, now);
  }

  public ClusterSnapshot withJobs(List<JobDemand> others) {
    return new ClusterSnapshot(
        now, cluster, workers, others, stockouts, tpuCreations, unknown, spentThisMonth, uses);
  }

  public ClusterSnapshot withSpentThisMonth(Optional<MonthSpent> spent) {
    return new ClusterSnapshot(
        now, cluster, workers, jobs, stockouts, tpuCreations, unknown, spent, uses);
  }

  public ClusterSnapshot withUses(List<JobQueue.OwnerUse> counted) {
    return new ClusterSnapshot(
        now, cluster, workers, jobs, stockouts, tpuCreations, unknown, spentThisMonth, counted);
  }

  /** Without a look at what was spent. */
  public ClusterSnapshot(
      Instant now,
      Cluster cluster,
      List<Worker> workers,
      List<JobDemand> jobs,
      List<Stockout> stockouts,
      int tpuCreations,
      Map<String, Integer> unknown) {
    this(
        now, cluster, workers, jobs, stockouts, tpuCreations, unknown, Optional.empty(), List.of());
  }

  /** Without unreadable workers. */
  public ClusterSnapshot(
      Instant now,
      Cluster cluster,
      List<Worker> workers,
      List<JobDemand> jobs,
      List<Stockout> stockouts,
      int tpuCreations) {
    this(now, cluster, workers, jobs, stockouts, tpuCreations, Map.of());
  }

  /** For a project without recent TPU requests. */
  public ClusterSnapshot(
      Instant now,
      Cluster cluster,
      List<Worker> workers,
      List<JobDemand> jobs,
      List<Stockout> stockouts) {
    this(now, cluster, workers, jobs, stockouts, TpuCreateQuota.A_MINUTE);
  }
}
