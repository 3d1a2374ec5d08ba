package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job that is told that a ready worker takes its tasks at the next report gets some then: what
 * the dispatcher refuses, the plan knows.
 */
final class ReportsGiveWork {
  /** Reports after which the promise counts as broken: one may be lost, or serve another job. */
  private static final int REPORTS = 4;

  /** An instance that missed the signal of new work reads the queue again within two minutes. */
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private final GroundTruth groundTruth;
  private final Map<String, Promise> promises = new HashMap<>();

  ReportsGiveWork(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  /**
   * @param since when it was made
   * @param workers that were named each time since then
   * @param begun what had begun of the cluster's jobs then
   * @param reports by worker, when those that came since are followed by the next
   */
  private record Promise(
      Instant since, Set<String> workers, long begun, Map<String, Set<Instant>> reports) {}

  /**
   * What the job is told now. A cluster with a document that cannot be read is not served, and its
   * promises begin anew afterwards.
   */
  void told(ClusterSnapshot snapshot, JobDemand job, List<Veto> vetoes) {
    var told =
        vetoes.stream()
            .filter(ComingVeto.NextReport.class::isInstance)
            .map(ComingVeto.NextReport.class::cast)
            .findFirst();
    if (told.isEmpty() || isUnserved(snapshot.cluster())) {
      promises.remove(job.job());
      return;
    }
    var next = told.get();
    var begun = begun(snapshot);
    var promise = promises.get(job.job());
    var same = new HashSet<>(next.workers());
    if (promise != null) same.retainAll(promise.workers());
    if (promise == null || promise.begun() != begun || same.isEmpty())
      promise = new Promise(groundTruth.now(), Set.copyOf(next.workers()), begun, new HashMap<>());
    else promise = new Promise(promise.since(), same, begun, promise.reports());
    promises.put(job.job(), promise);
    for (var worker : promise.workers())
      if (hasReported(promise, worker) && groundTruth.now().isAfter(promise.since().plus(PATIENCE)))
        throw new InvariantViolation(
            "I28",
            "%s is told %s, and got nothing at %d reports: %s"
                .formatted(job.job(), next, REPORTS, job));
  }

  private boolean isUnserved(Cluster cluster) {
    return groundTruth.disturbed(cluster.uid(), PATIENCE)
        || groundTruth.ledger().isSpoiled(cluster.key());
  }

  /** Whether it has often, and since the last look: it lives. */
  private boolean hasReported(Promise promise, String worker) {
    var reports = promise.reports().computeIfAbsent(worker, _ -> new HashSet<>());
    var before = reports.size();
    for (var heartbeats : groundTruth.all(Heartbeats.class)) {
      var due = heartbeats.due().get(worker);
      if (due != null) reports.add(due);
    }
    return before >= REPORTS && reports.size() > before;
  }

  /**
   * Tasks that any job has begun, ended or given back: whatever a report may have been used for.
   */
  private long begun(ClusterSnapshot snapshot) {
    var sum = 0L;
    for (var job : groundTruth.all(Job.class))
      if (job.cluster().equals(snapshot.cluster().uid())) {
        var totals = groundTruth.ledger().totals(job.key());
        sum = 31 * sum + totals.hashCode();
      }
    return sum;
  }
}
