package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains in a list of jobs why those without running tasks wait. Workers and queue are read once,
 * and only if a job waits; with many such jobs, the later ones wait for the earlier ones.
 */
final class JobListReasons {
  /** Most jobs that are explained: each costs some reads. */
  private static final int MOST_EXPLAINED = 10;

  private final Ledger ledger;
  private final Instant now;
  private final Cluster cluster;
  private @Nullable List<Worker> workers;
  private @Nullable List<JobQueue.Row> rows;
  private int explained;

  JobListReasons(Ledger ledger, Instant now, Cluster cluster) {
    this.ledger = ledger;
    this.now = now;
    this.cluster = cluster;
  }

  /** The status, with the first reason if the job waits. */
  JobStatus withReason(JobStatus view, Job job) {
    var waits =
        job.state() instanceof JobState.Running
            && view.totals().ready() > 0
            && view.totals().leased() == 0;
    if (!waits || explained++ >= MOST_EXPLAINED) return view;
    return new WaitingReasons(ledger, now)
        .of(cluster, job, rows(), workers()).stream()
            .filter(JobExplanation.Reason::tellsWhy)
            .findFirst()
            .map(first -> view.withReason(first.kind() + ": " + first.text()))
            .orElse(view);
  }

  private List<Worker> workers() {
    if (workers == null)
      workers =
          ledger
              .query(new LedgerQuery.Workers(cluster.uid(), false, StatusQueries.MAX_WORKERS))
              .readableOnly()
              .stream()
              .map(VersionedDocument::value)
              .toList();
    return workers;
  }

  private List<JobQueue.Row> rows() {
    if (rows == null)
      rows =
          RebuildableDocument.read(ledger, new DocumentKey.OfJobQueue(cluster.uid()))
              .value()
              .map(JobQueue::rows)
              .orElse(List.of());
    return rows;
  }
}
