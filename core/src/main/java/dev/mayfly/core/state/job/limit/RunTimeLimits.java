package dev.mayfly.core.state.job.limit;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.job.JobStop;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Stops jobs that have run as long as their user or their cluster allows, and tells people before.
 * Costs a tick no read, and one write for each run of a job that has such a limit: since when it
 * runs, as the first tick sees it that finds a task of it on a machine.
 */
final class RunTimeLimits {
  private static final String KIND = "run-time";

  private static final int MOST = 1_000;

  /** By how much the clocks of two processes may differ. */
  private static final Duration SKEW = Duration.ofSeconds(10);

  private final Context context;
  private final JobStop jobStop;

  /** Of what this process has told; another process finds the event. */
  private final Set<String> told =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > MOST;
            }
          });

  RunTimeLimits(Context context) {
    this.context = context;
    jobStop = new JobStop(context);
  }

  /**
   * The uids of jobs that it stopped.
   *
   * @param workers all that may hold tasks of the jobs, read before
   * @param updated is given jobs that it changed
   */
  Set<String> check(
      Cluster cluster,
      List<VersionedDocument<Job>> jobs,
      List<Worker> workers,
      FailureLog failureLog,
      Consumer<VersionedDocument<Job>> updated) {
    var stopped = new HashSet<String>();
    for (var stored : jobs) {
      var job = stored.value();
      if (job.state() instanceof JobState.Running running
          && RunTimeLimit.of(job, cluster.spec()).isPresent())
        failureLog.guard(
            "maxRunTime of job " + job.spec().name(),
            () -> {
              var known = since(stored, running, workers);
              if (!known.equals(stored)) updated.accept(known);
              var limit = RunTimeLimit.of(known.value(), cluster.spec());
              if (limit.isPresent() && isStopped(known.value(), limit.get()))
                stopped.add(job.uid());
            });
    }
    return stopped;
  }

  /** A job that changed meanwhile is left to the next tick. */
  private VersionedDocument<Job> since(
      VersionedDocument<Job> stored, JobState.Running running, List<Worker> workers) {
    if (RunTimeLimit.run(stored.value()).since().isPresent()) return stored;
    var first = first(stored.value(), running.since(), workers);
    if (first.isEmpty()) return stored;
    var next = stored.value().withRunTime(RunTimeLimit.run(stored.value()).begun(first.get()));
    var result = context.ledger().commit(List.of(new LedgerWrite.Update(next, stored.version())));
    return switch (result) {
      case CommitResult.Done done -> new VersionedDocument<>(next, done.versions().getFirst());
      case CommitResult.Conflict _ -> stored;
    };
  }

  /** The oldest grant of this run that a worker has. */
  private static Optional<Instant> first(Job job, Instant since, List<Worker> workers) {
    return workers.stream()
        .flatMap(worker -> worker.held().stream())
        .filter(held -> held.job().equals(job.uid()))
        .map(Worker.Held::since)
        .filter(at -> !at.plus(SKEW).isBefore(since))
        .min(Comparator.naturalOrder())
        .map(at -> at.isBefore(since) ? since : at);
  }

  private boolean isStopped(Job job, RunTimeLimit limit) {
    var now = context.clock().instant();
    if (limit.isReached(now)) {
      jobStop.stop(job.key(), now, limit.whyStopped());
      return true;
    }
    if (limit.isNear(now) && !told.contains(id(job, limit))) tell(job, limit, now);
    return false;
  }

  /** Once for each run and limit: who raised it is told of the next one. */
  private static String id(Job job, RunTimeLimit limit) {
    return "%s/%s/%s".formatted(job.uid(), limit.since().orElse(Instant.EPOCH), limit.max());
  }

  /** A repeat changes nothing. */
  private void tell(Job job, RunTimeLimit limit, Instant now) {
    var event =
        new EventRecord(
                job.cluster(),
                EventRecord.repeatableId(job.submittedAt(), KIND, id(job, limit)),
                now,
                "job/" + job.spec().address(),
                KIND,
                limit.whyTold(now))
            .with(new PendingNotification(NotificationKind.RUN_TIME));
    var _ = context.ledger().commit(List.of(new LedgerWrite.Create(event)));
    told.add(id(job, limit));
  }
}
