package dev.mayfly.core.state.job.limit;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Stops running jobs at the limits of their time and their cost. */
public final class JobLimits {
  private final RunTimeLimits runTimeLimits;
  private final SpendingLimits spendingLimits;

  public JobLimits(Context context) {
    runTimeLimits = new RunTimeLimits(context);
    spendingLimits = new SpendingLimits(context);
  }

  /**
   * The uids of jobs that it stopped, which only a tick does.
   *
   * @param workers all that may hold tasks of the jobs, read before
   * @param updated is given jobs that it changed and that run on
   */
  public Set<String> check(
      Cluster cluster,
      List<VersionedDocument<Job>> jobs,
      List<Worker> workers,
      boolean tick,
      FailureLog failureLog,
      Consumer<VersionedDocument<Job>> updated) {
    if (!tick) return Set.of();
    var stopped = new HashSet<>(runTimeLimits.check(cluster, jobs, workers, failureLog, updated));
    var others =
        jobs.stream()
            .map(VersionedDocument::value)
            .filter(job -> !stopped.contains(job.uid()))
            .toList();
    stopped.addAll(spendingLimits.check(others, workers, failureLog));
    return stopped;
  }
}
