package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.Worker;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a plan is made from, the time included.
 *
 * @param workers those that are not gone
 * @param jobs the running ones, in the order of their turns
 * @param stockouts of any zone and machine type
 * @param tpuCreations how many TPUs the project may ask for now, all its clusters together
 * @param unknown workers of each pool that are there and whose documents cannot be read: machines
 *     that count, of whose room nothing is known
 */
public record ClusterSnapshot(
    Instant now,
    Cluster cluster,
    List<Worker> workers,
    List<JobDemand> jobs,
    List<Stockout> stockouts,
    int tpuCreations,
    Map<String, Integer> unknown) {
  public ClusterSnapshot {
    unknown = Map.copyOf(unknown);
    workers = List.copyOf(workers);
    jobs = List.copyOf(jobs);
    stockouts = List.copyOf(stockouts);
  }

  /** Where every worker can be read. */
  public ClusterSnapshot(
      Instant now,
      Cluster cluster,
      List<Worker> workers,
      List<JobDemand> jobs,
      List<Stockout> stockouts,
      int tpuCreations) {
    this(now, cluster, workers, jobs, stockouts, tpuCreations, Map.of());
  }

  /** Of a project that has asked for no TPU lately. */
  public ClusterSnapshot(
      Instant now,
      Cluster cluster,
      List<Worker> workers,
      List<JobDemand> jobs,
      List<Stockout> stockouts) {
    this(now, cluster, workers, jobs, stockouts, TpuCreateQuota.A_MINUTE);
  }
}
