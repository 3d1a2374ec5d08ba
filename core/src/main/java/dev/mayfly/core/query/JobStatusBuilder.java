package dev.mayfly.core.query;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.lease.CountedEnds;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.query.task.FailedTasks;
import dev.mayfly.core.query.task.JobProgress;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Builds what users see of a job. */
final class JobStatusBuilder {
  /** Machines of a job that are read for how far its tasks are; with more it is not told. */
  private static final int MOST_MACHINES = 20;

  private final Ledger ledger;
  private final InstantSource clock;

  JobStatusBuilder(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * One job, with a read for each job that it waits for or waited for, and for each machine of a
   * job that has few.
   */
  JobStatus view(Job job, Cluster cluster) {
    return view(job, cluster, true, PredecessorStatus.states(predecessors(job)));
  }

  /**
   * A job of a list, without attempts of live jobs and failures.
   *
   * @param listed the states of the jobs in the list, by uid
   */
  JobStatus listed(Job job, Cluster cluster, Map<String, String> listed) {
    return view(job, cluster, false, listed);
  }

  private QueryResult<Job> predecessors(Job job) {
    var keys =
        job.spec().admission().after().stream()
            .flatMap(p -> p.uid().stream())
            .distinct()
            .map(uid -> new DocumentKey.OfJob(job.cluster(), uid))
            .toList();
    return keys.isEmpty() ? new QueryResult<>(List.of(), List.of()) : ledger.readAll(keys);
  }

  private JobStatus view(
      Job job, Cluster cluster, boolean details, Map<String, String> predecessors) {
    var end = job.state().end();
    var shards = details && end.isEmpty() ? shards(job) : List.<Shard>of();
    var attempts = new EnumMap<FailureCause, Long>(FailureCause.class);
    end.ifPresent(e -> attempts.putAll(e.attempts()));
    for (var s : shards) s.attempts().forEach((c, n) -> attempts.merge(c, n, Long::sum));
    var taskTotals = end.map(JobState.Ended::totals).orElseGet(() -> totals(job));
    return new JobStatus(
        job.spec().name(),
        job.uid(),
        cluster.spec().name(),
        job.spec().owner(),
        word(job.state()),
        reason(job, cluster),
        end.isPresent() ? job.knownTasks() : job.tasks().count(),
        taskTotals.failing(FailedTasks.ofLeases(shards, job)),
        attempts,
        details ? failures(job, shards) : List.of(),
        job.submittedAt(),
        job.acceptedAt(),
        end.map(JobState.Ended::since),
        end.flatMap(JobState.Ended::outcome),
        cluster.spec().bucket(),
        job.spec(),
        job.image(),
        openUntil(job),
        job.tasks().leftOut(),
        Optional.of(job.mayRunSince()),
        Optional.of(JobStatus.version(word(job.state()), job.tasks().count(), taskTotals)),
        PredecessorStatus.of(job.spec().admission(), predecessors),
        job.maxUsd(),
        RunTimeLimit.of(job, cluster.spec()).map(JobStatus.RunLimit::of),
        JobProgress.of(job, machines(job, shards)),
        CountedEnds.ofAll(shards, clock.instant()));
  }

  /** Those that have leased some of these; none if they are many. */
  private List<Worker> machines(Job job, List<Shard> shards) {
    var keys =
        shards.stream()
            .filter(shard -> shard.state() == Shard.State.LEASED)
            .flatMap(shard -> shard.owner().stream())
            .map(owner -> new DocumentKey.OfWorker(job.cluster(), owner.worker()))
            .distinct()
            .limit(MOST_MACHINES + 1)
            .toList();
    if (keys.isEmpty() || keys.size() > MOST_MACHINES) return List.of();
    return ledger.readAll(keys).readableOnly().stream().map(VersionedDocument::value).toList();
  }

  private TaskTotals totals(Job job) {
    var totals = ledger.totals(job.key());
    var all = job.running() ? totals.ofTasks(job.tasks().count()) : totals;
    return all.withEarlier(job.tasks().before().orElse(0L));
  }

  private List<Shard> shards(Job job) {
    return ledger
        .query(new LedgerQuery.Shards(job.cluster(), job.uid(), 0, 400))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private List<AttemptFailure> failures(Job job, List<Shard> shards) {
    var of = job.state().ended() ? shards(job) : shards;
    return of.stream()
        .flatMap(s -> s.evidence().stream())
        .sorted(Comparator.comparing(AttemptFailure::at).reversed())
        .limit(50)
        .toList();
  }

  static Optional<Instant> openUntil(Job job) {
    return job.tasks()
        .open()
        .filter(open -> open.closed().isEmpty() && job.running())
        .map(OpenTasks::until);
  }

  static String word(JobState state) {
    return switch (state) {
      case JobState.Ended e -> e.result().name().toLowerCase(Locale.ROOT);
      default -> state.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    };
  }

  private static Optional<String> reason(Job job, Cluster cluster) {
    return switch (job.state()) {
      case JobState.Waiting w -> Optional.of(PredecessorReasons.names(job.spec().admission()));
      case JobState.Ended e -> Optional.of(e.reason());
      case JobState.Stopping s -> Optional.of(s.by());
      case JobState.Expanding e ->
          Optional.of(HumanAmounts.count(e.counted(), "task") + " listed so far");
      case JobState.Running r ->
          openUntil(job)
              .map(at -> "open: tasks may be added until " + at)
              .or(() -> RunTimeLimit.of(job, cluster.spec()).flatMap(RunTimeLimit::untilText));
      case JobState.Finishing f -> Optional.of("outputs are compared with their sentinels");
    };
  }
}
