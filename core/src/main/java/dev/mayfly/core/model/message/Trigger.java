package dev.mayfly.core.model.message;

import dev.mayfly.core.model.document.DocumentKey;
import java.util.List;

/**
 * A message from Mayfly to itself that names a place to check. Never the truth; it may be lost,
 * duplicated or late.
 */
public sealed interface Trigger {
  /** Reconcile everything. */
  record Tick() implements Trigger {}

  /** Compare the cloud with the ledger. */
  record CollectOrphans() implements Trigger {}

  /**
   * Reconcile a cluster.
   *
   * @param workers that changed, by name
   * @param jobs that changed, by uid; if both lists are empty, anything may have changed
   */
  record Reconcile(String cluster, List<String> workers, List<String> jobs) implements Trigger {
    /** With more names than this, the lists are dropped and anything may have changed. */
    private static final int MAX_NAMES = 1_000;

    public Reconcile {
      workers = List.copyOf(workers);
      jobs = List.copyOf(jobs);
      if (workers.size() + jobs.size() > MAX_NAMES) {
        workers = List.of();
        jobs = List.of();
      }
    }

    /** Anything in the cluster may have changed. */
    public Reconcile(String cluster) {
      this(cluster, List.of(), List.of());
    }

    public static Reconcile worker(String cluster, String name) {
      return new Reconcile(cluster, List.of(name), List.of());
    }

    public static Reconcile job(DocumentKey.OfJob job) {
      return new Reconcile(job.cluster(), List.of(), List.of(job.job()));
    }
  }

  /** Start the waiting jobs of a cluster whose predecessors ended, or end those that cannot. */
  record StartWaiting(String cluster) implements Trigger {}

  /** Submit the jobs of a cluster's schedules that are due. */
  record RunSchedules(String cluster) implements Trigger {}

  /** Continue listing the job's tasks. */
  record Expand(String cluster, String job) implements Trigger {}

  /** Continue verifying and ending the job. */
  record Finalize(String cluster, String job) implements Trigger {}
}
