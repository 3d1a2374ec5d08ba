package dev.mayfly.core.model.message;

import dev.mayfly.core.model.document.DocumentKey;
import java.util.List;

/**
 * A message from Mayfly to itself: a place to look at. Never the truth; it may be lost, doubled or
 * late.
 */
public sealed interface Trigger {
  /** Look at everything. */
  record Tick() implements Trigger {}

  /** Compare the cloud with the ledger. */
  record Sweep() implements Trigger {}

  /**
   * Look at a cluster.
   *
   * @param workers that changed, by name
   * @param jobs that changed, by uid; if neither is named, anything may have
   */
  record Look(String cluster, List<String> workers, List<String> jobs) implements Trigger {
    /** More than so many names make a message long; then anything may have changed. */
    private static final int MOST = 1_000;

    public Look {
      workers = List.copyOf(workers);
      jobs = List.copyOf(jobs);
      if (workers.size() + jobs.size() > MOST) {
        workers = List.of();
        jobs = List.of();
      }
    }

    /** Anything of it may have changed. */
    public Look(String cluster) {
      this(cluster, List.of(), List.of());
    }

    public static Look worker(String cluster, String name) {
      return new Look(cluster, List.of(name), List.of());
    }

    public static Look job(DocumentKey.OfJob job) {
      return new Look(job.cluster(), List.of(), List.of(job.job()));
    }
  }

  /** Go on listing the job's tasks. */
  record Expand(String cluster, String job) implements Trigger {}

  /** Go on ending the job. */
  record Audit(String cluster, String job) implements Trigger {}
}
