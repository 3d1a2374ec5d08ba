package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.lease.FairShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Explains the order of jobs for {@link JobExplainer}: the queue, the owners' shares, and pinned
 * workers.
 */
final class QueueReasons {
  private QueueReasons() {}

  /**
   * The names of the jobs before this one in the queue that could run where it could; those of
   * other owners with the owner.
   */
  static List<String> ahead(List<JobQueue.Row> rows, Job job, ClusterSpec cluster) {
    return rows.stream()
        .takeWhile(r -> !r.job().equals(job.uid()))
        .filter(r -> cluster.pools().stream().anyMatch(pool -> compete(r, job, pool)))
        .map(r -> r.owner().equals(job.spec().owner().orElse("")) ? r.name() : r.address())
        .toList();
  }

  private static boolean compete(JobQueue.Row row, Job job, PoolSpec pool) {
    var placement = job.spec().place();
    return placement.allowsSomeZone(pool)
        && pool.visible().fits(job.spec().resources())
        && row.place().allowsFallbackPool(pool.name())
        && pool.zones().stream().anyMatch(z -> placement.allowsZone(z) && row.place().allowsZone(z))
        && pool.visible().fits(row.need())
        && !disjoint(placement.workers(), row.place().workers());
  }

  /** Whether both name workers but none in common. */
  private static boolean disjoint(List<String> some, List<String> others) {
    return !some.isEmpty() && !others.isEmpty() && Collections.disjoint(some, others);
  }

  static List<JobExplanation.Reason> of(
      List<JobQueue.Row> rows, Job job, List<Worker> workers, ClusterSpec cluster) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    var queue = ahead(rows, job, cluster);
    if (!queue.isEmpty())
      reasons.add(
          new JobExplanation.Reason("turn", "before it in the queue: " + String.join(", ", queue)));
    shares(rows, job, workers, reasons);
    return reasons;
  }

  /** Reasons for workers that the job names and that do not exist. */
  static List<JobExplanation.Reason> pins(Placement placement, List<Worker> workers) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    for (var name : placement.workers())
      if (workers.stream().noneMatch(w -> w.name().equals(name)))
        reasons.add(
            new JobExplanation.Reason(
                "unknown-worker",
                "it may run on worker %s, which is not there; submit it without workers to let it run on others"
                    .formatted(name)));
    return reasons;
  }

  private static void shares(
      List<JobQueue.Row> rows, Job job, List<Worker> workers, List<JobExplanation.Reason> reasons) {
    var band = rows.stream().filter(r -> r.priority() == job.spec().priority()).toList();
    var shares = FairShare.runningByOwner(band, workers);
    if (shares.size() < 2) return;
    var each =
        shares.entrySet().stream()
            .map(e -> (e.getKey().isEmpty() ? "nobody" : e.getKey()) + " " + e.getValue())
            .collect(Collectors.joining(", "));
    reasons.add(
        new JobExplanation.Reason(
            "share", "owners of priority " + job.spec().priority() + " run tasks: " + each));
  }
}
