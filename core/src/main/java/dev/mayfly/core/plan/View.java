package dev.mayfly.core.plan;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import java.time.Instant;
import java.util.List;

/**
 * All that a plan is made from, the time included.
 *
 * @param workers those that are not gone
 * @param jobs the running ones, in the order of their turns
 * @param stockouts of any zone and machine type
 * @param tpuCreations how many TPUs the project may ask for now, all its clusters together
 */
public record View(
    Instant now,
    Cluster cluster,
    List<Worker> workers,
    List<Demand> jobs,
    List<Stockout> stockouts,
    int tpuCreations) {
  public View {
    workers = List.copyOf(workers);
    jobs = List.copyOf(jobs);
    stockouts = List.copyOf(stockouts);
  }

  /** Of a project that has asked for no TPU lately. */
  public View(
      Instant now,
      Cluster cluster,
      List<Worker> workers,
      List<Demand> jobs,
      List<Stockout> stockouts) {
    this(now, cluster, workers, jobs, stockouts, Creations.A_MINUTE);
  }
}
