package dev.mayfly.core.jobs;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.text.TaskTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares a task's output with what its sentinel pins and with its done state. */
final class OutputCheck {
  /** The name of a directory output's index; see {@code core.agent}'s uploads. */
  static final String INDEX = "/index.json";

  private OutputCheck() {}

  /**
   * The objects at the tasks' outputs and sentinels; a task's sentinel among those of others counts
   * as if it were there. If a sentinel pins an output that is not there, the output may be a
   * directory, represented by its index.
   */
  static Map<String, ObjectInfo> found(
      OutputLookup outputLookup, Job job, String bucket, List<TaskItem> items) {
    var urls = new ArrayList<String>();
    var outputs =
        items.stream().map(i -> TaskTemplate.outputUrl(job.spec(), bucket, job.uid(), i)).toList();
    for (var output : outputs) {
      urls.add(output);
      urls.add(output + Sentinel.SUFFIX);
    }
    var found = outputLookup.find(urls);
    if (job.spec().data().sealedTogether()) {
      var indexes = items.stream().map(TaskItem::index).toList();
      var shared = outputLookup.sharedSentinels().find(bucket, job.uid(), indexes);
      for (var i = 0; i < items.size(); i++) {
        var sentinel = shared.get(items.get(i).index());
        if (sentinel != null) found.putIfAbsent(outputs.get(i) + Sentinel.SUFFIX, sentinel);
      }
    }
    var indexes = new ArrayList<String>();
    for (var output : outputs) {
      var pinned = pinned(found.get(output + Sentinel.SUFFIX));
      if (pinned != 0 && !has(found.get(output), pinned)) indexes.add(output + INDEX);
    }
    found.putAll(outputLookup.find(indexes));
    return found;
  }

  /**
   * The generation of the output that a sentinel names; 0 for a foreign sentinel and for a task
   * without output.
   */
  private static long pinned(@Nullable ObjectInfo sentinel) {
    if (sentinel == null) return 0;
    return Sentinel.by(sentinel.metadata()).map(Sentinel.By::generation).orElse(0L);
  }

  private static boolean has(@Nullable ObjectInfo existing, long generation) {
    return existing != null && existing.generation() == generation;
  }

  /** Whether the job takes a sentinel for its own; what it did itself may be replaced since. */
  private static boolean isAccepted(Job job, TaskItem item, ObjectInfo sentinel, Known known) {
    var uid = job.uid();
    return job.spec().data().doneRule().of(item.index()).equals(DoneRule.ANY)
        || known.done.has(item.index())
        || Sentinel.by(sentinel.metadata()).filter(by -> by.job().equals(uid)).isPresent();
  }

  static TaskOutcome outcome(
      Job job, TaskItem item, String output, Map<String, ObjectInfo> found, Known known) {
    var sentinel = found.get(output + Sentinel.SUFFIX);
    if (sentinel != null && !isAccepted(job, item, sentinel, known)) sentinel = null;
    var attemptFailure = Optional.ofNullable(known.attemptFailures.get(item.index()));
    if (sentinel == null) {
      var result =
          known.done.has(item.index())
              ? TaskOutcome.Result.INCONSISTENT
              : known.stopped.has(item.index())
                  ? TaskOutcome.Result.STOPPED
                  : known.failed.has(item.index())
                      ? TaskOutcome.Result.FAILED
                      : TaskOutcome.Result.NOT_RUN;
      return new TaskOutcome(
          item.index(),
          result,
          Optional.of(output),
          Optional.empty(),
          attemptFailure,
          item.input(),
          item.vars(),
          attemptFailure.map(AttemptFailure::worker),
          attemptFailure.flatMap(AttemptFailure::startedAt),
          attemptFailure.map(AttemptFailure::at),
          Optional.of(known.attempts(item.index(), false)),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
    var by = Sentinel.by(sentinel.metadata());
    var pinned = pinned(sentinel);
    var same =
        pinned == 0 || has(found.get(output), pinned) || has(found.get(output + INDEX), pinned);
    var times = Sentinel.times(sentinel.metadata());
    return new TaskOutcome(
        item.index(),
        same ? TaskOutcome.Result.DONE : TaskOutcome.Result.INCONSISTENT,
        Optional.of(output),
        Optional.of(by.map(b -> b.job() + "/" + b.attempt()).orElse("foreign")),
        same ? Optional.empty() : attemptFailure,
        item.input(),
        item.vars(),
        times.worker(),
        times.startedAt(),
        Optional.of(times.endedAt().orElse(sentinel.updated())),
        Optional.of(
            known.attempts(item.index(), by.filter(b -> b.job().equals(job.uid())).isPresent())),
        Sentinel.metrics(sentinel.metadata()),
        Optional.empty(),
        Sentinel.adoptedBy(sentinel.metadata()),
        Sentinel.continued(sentinel.metadata()),
        by.filter(b -> !b.job().equals(job.uid())).map(Sentinel.By::task),
        by.filter(b -> b.job().equals(job.uid()))
            .flatMap(b -> known.workers(item.index(), b.attempt())));
  }

  /** What the ledger knows of the tasks in [from, to). */
  static final class Known {
    final TaskSet done;
    final TaskSet failed;
    final TaskSet stopped;
    final Map<Long, AttemptFailure> attemptFailures = new HashMap<>();
    private final TreeMap<Long, Shard> shards = new TreeMap<>();

    Known(List<Shard> shards, long from, long to) {
      var d = TaskSet.none(from);
      var f = TaskSet.none(from);
      var s = TaskSet.none(from);
      for (var shard : shards) {
        if (shard.end() <= from || shard.start() >= to) continue;
        d = d.or(shard.done().within(shard.start(), Math.min(to, shard.end())));
        f = f.or(shard.failed().within(shard.start(), Math.min(to, shard.end())));
        s = s.or(shard.stopped().within(shard.start(), Math.min(to, shard.end())));
        shard.evidence().forEach(e -> attemptFailures.put(e.index(), e));
        this.shards.put(shard.start(), shard);
      }
      done = d;
      failed = f;
      stopped = s;
    }

    /** The workers of a gang's attempt. */
    Optional<List<String>> workers(long index, String attempt) {
      return Optional.ofNullable(shards.floorEntry(index))
          .map(Map.Entry::getValue)
          .filter(shard -> shard.has(index))
          .flatMap(shard -> shard.workers(attempt));
    }

    /**
     * @param last whether one more attempt succeeded
     */
    TaskAttempts attempts(long index, boolean last) {
      var shard = shards.floorEntry(index);
      if (shard == null || !shard.getValue().has(index)) return TaskAttempts.of(0, 0, last);
      return shard.getValue().attempts(index, last);
    }
  }
}
