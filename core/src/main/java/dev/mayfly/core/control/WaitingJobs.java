package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says in a list of jobs why those wait of which nothing runs. Workers and turns are read once, and
 * only where a job waits; what comes behind many such jobs waits for them.
 */
final class WaitingJobs {
  /** Of so many it is said: each costs some reads. */
  private static final int TOLD = 10;

  /** Kinds that say where a job runs, and not why it waits. */
  private static final Set<String> ABOUT = Set.of("region", "rollout");

  private final Ledger ledger;
  private final Instant now;
  private final Cluster cluster;
  private @Nullable List<Worker> workers;
  private @Nullable List<Turns.Row> rows;
  private int told;

  WaitingJobs(Ledger ledger, Instant now, Cluster cluster) {
    this.ledger = ledger;
    this.now = now;
    this.cluster = cluster;
  }

  /** The same view, with the first reason of a job that waits. */
  JobView told(JobView view, Job job) {
    var waits =
        job.state() instanceof JobState.Running
            && view.totals().ready() > 0
            && view.totals().leased() == 0;
    if (!waits || told++ >= TOLD) return view;
    return new WaitingReasons(ledger, now)
        .of(cluster, job, rows(), workers()).stream()
            .filter(reason -> !ABOUT.contains(reason.kind()))
            .findFirst()
            .map(first -> view.because(first.kind() + ": " + first.text()))
            .orElse(view);
  }

  private List<Worker> workers() {
    if (workers == null)
      workers =
          ledger.query(new Query.Workers(cluster.uid(), false, Views.MANY)).some().stream()
              .map(Stored::value)
              .toList();
    return workers;
  }

  private List<Turns.Row> rows() {
    if (rows == null)
      rows =
          Renewable.read(ledger, new Key.OfTurns(cluster.uid()))
              .value()
              .map(Turns::rows)
              .orElse(List.of());
    return rows;
  }
}
