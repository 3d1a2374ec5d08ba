package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.RunningMetrics;
import dev.mayfly.core.port.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far tasks were by the counts of their attempts before, for as long as those that run now tell
 * nothing: their checkpoints keep that, and they counted as fast as the next ones will.
 */
final class EarlierCounts {
  private static final double MILLIS = 1_000;

  private final Ledger ledger;
  private final Job job;
  private final Map<Long, Shard> shards = new HashMap<>();
  private final Map<String, Optional<RunningMetrics>> known = new HashMap<>();

  /**
   * @param shards the ranges of tasks that run
   */
  EarlierCounts(Ledger ledger, Job job, Collection<Shard> shards) {
    this.ledger = ledger;
    this.job = job;
    for (var shard : shards) this.shards.put(shard.start(), shard);
  }

  /**
   * Where a task goes on that began then: at the step of its last checkpoint, or at none without
   * one. Empty if it is its first attempt, or the one before told no count with its speed. One read
   * for each machine that such an attempt was lost with.
   *
   * @param start of its range
   */
  Optional<RunningReader.Counted> of(long start, long index, Instant began) {
    return Optional.ofNullable(shards.get(start)).map(Shard::evidence).orElse(List.of()).stream()
        .filter(failure -> failure.index() == index && failure.isNobodysFault())
        .max(Comparator.comparing(AttemptFailure::at))
        .flatMap(this::resumed)
        .map(progress -> new RunningReader.Counted(progress, began, true));
  }

  private Optional<TaskProgress> resumed(AttemptFailure failure) {
    var metrics = known.computeIfAbsent(failure.worker(), this::metrics);
    return metrics.flatMap(all ->
        all.tasks().stream()
            .filter(task -> task.job().equals(job.uid()) && task.index() == failure.index())
            .findFirst()
            .flatMap(task ->
                TaskProgress.of(task.values())
                    .flatMap(it -> resumed(it, failure, all.readAt(task)))));
  }

  private Optional<RunningMetrics> metrics(String worker) {
    return ledger
        .read(new DocumentKey.OfWorker(job.cluster(), worker))
        .map(VersionedDocument::value)
        .flatMap(Worker::metrics);
  }

  /** What it had counted when its checkpoint was written, by how fast it counted. */
  private static Optional<TaskProgress> resumed(
      TaskProgress counted, AttemptFailure failure, Instant readAt) {
    return counted
        .secondsEach()
        .filter(each -> each > 0)
        .map(each -> {
          var at =
              failure
                  .keptUntil()
                  .map(until ->
                      counted.at() - Duration.between(until, readAt).toMillis() / MILLIS / each)
                  .orElse(failure.isKept() ? counted.at() : 0.0);
          return counted.from(Math.floor(Math.clamp(at, 0, counted.of())));
        });
  }
}
