package dev.mayfly.core.query.task;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.sentinel.SharedSentinels;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Completes what shards know of tasks: when and where those that are done ran, by their sentinels.
 */
final class TaskDetails {
  private final Context context;
  private final Cluster cluster;
  private final Job job;
  private final LiveTasks.ShardStates states;
  private final RunningReasons reasons;
  private final Map<String, Optional<String>> waits = new HashMap<>();

  TaskDetails(Context context, Cluster cluster, Job job, LiveTasks.ShardStates states) {
    this.context = context;
    this.cluster = cluster;
    this.job = job;
    this.states = states;
    reasons = new RunningReasons(context.ledger(), context.timings(), context.clock().instant());
  }

  List<TaskStatus> views(List<TaskItem> items) {
    var sentinels = sentinels(items);
    return items.stream()
        .map(item -> view(item, Optional.ofNullable(sentinels.get(item.index()))))
        .toList();
  }

  /** The sentinels of tasks that are done, in parallel, as far as they can be read. */
  private Map<Long, ObjectInfo> sentinels(List<TaskItem> items) {
    var found = new ConcurrentHashMap<Long, ObjectInfo>();
    var done =
        items.stream().filter(item -> states.of(item.index()) == TaskStatus.State.DONE).toList();
    if (job.spec().data().sealedTogether()) found.putAll(shared(done));
    context
        .executor()
        .runAll(
            done.stream()
                .filter(item -> !found.containsKey(item.index()))
                .map(item ->
                    (Runnable)
                        () -> sentinel(item).ifPresent(info -> found.put(item.index(), info)))
                .toList());
    return found;
  }

  private Map<Long, ObjectInfo> shared(List<TaskItem> done) {
    try {
      return new SharedSentinels(context.objects(), context.codec(), context.executor()::runAll)
          .find(cluster.spec().bucket(), job.uid(), done.stream().map(TaskItem::index).toList());
    } catch (DeniedException | InvalidInputException | UnavailableException unknown) {
      return Map.of();
    }
  }

  /** Without a sentinel's times a view is still worth reading. */
  private Optional<ObjectInfo> sentinel(TaskItem item) {
    try {
      return context.objects().find(ObjectUrl.of(output(item) + Sentinel.SUFFIX));
    } catch (DeniedException | InvalidInputException | UnavailableException unknown) {
      return Optional.empty();
    }
  }

  private String output(TaskItem item) {
    return TaskTemplate.outputUrl(job.spec(), cluster.spec().bucket(), job.uid(), item);
  }

  private TaskStatus view(TaskItem item, Optional<ObjectInfo> sentinel) {
    var index = item.index();
    var state = states.of(index);
    var running = states.running(index).map(tasks -> tasks.of(index));
    var times = sentinel.map(info -> Sentinel.times(info.metadata()));
    var foreign = sentinel.filter(info -> !isOurs(info)).isPresent();
    var failure = failure(index).filter(_ -> state != TaskStatus.State.DONE);
    var measured =
        running
            .flatMap(RunningTasks.Report::metrics)
            .or(() -> sentinel.flatMap(info -> Sentinel.metrics(info.metadata())));
    var failedForGood = state == TaskStatus.State.FAILED;
    return new TaskStatus(
        job.uid(),
        index,
        state,
        item.input(),
        GatheredText.of(context, job, item.input()),
        Optional.of(output(item)),
        item.vars(),
        Optional.of(attempts(index, state, foreign)),
        workers(index, sentinel, failure),
        running
            .flatMap(RunningTasks.Report::startedAt)
            .or(() -> times.flatMap(Sentinel.Times::startedAt))
            .or(() -> failure.filter(_ -> failedForGood).flatMap(AttemptFailure::startedAt)),
        endedAt(state, sentinel, failure),
        failure,
        Optional.empty(),
        measured.flatMap(TaskUse::reported),
        measured.flatMap(TaskProgress::of),
        sentinel.flatMap(info -> Sentinel.adoptedBy(info.metadata())),
        sentinel.flatMap(info -> Sentinel.continued(info.metadata())),
        running.flatMap(RunningTasks.Report::stalled),
        states
            .running(index)
            .flatMap(RunningTasks::holder)
            .flatMap(holder -> ending(index, holder).or(() -> waits(holder)))
            .or(() -> retried(index, state))
            .or(() -> next(index, state)),
        foreign,
        sentinel.flatMap(this::doneBy),
        measured
            .flatMap(TaskUse::of)
            .or(() ->
                failure
                    .filter(_ -> state != TaskStatus.State.RUNNING)
                    .flatMap(AttemptFailure::used)),
        measured.flatMap(TaskMetrics::readAt),
        measured.flatMap(TaskMetrics::diverged));
  }

  private Optional<String> ending(long index, Worker holder) {
    return EndingTasks.of(job.uid(), index, holder, context.clock().instant());
  }

  /** The same for all tasks of a worker. */
  private Optional<String> waits(Worker holder) {
    return waits.computeIfAbsent(holder.name(), _ -> reasons.of(job, holder).map(VetoText::text));
  }

  private Optional<String> retried(long index, TaskStatus.State state) {
    if (state != TaskStatus.State.WAITING) return Optional.empty();
    return states.shard(index).flatMap(shard -> RetriedTasks.of(shard, index));
  }

  /** A worker has it, behind others of its tasks. */
  private Optional<String> next(long index, TaskStatus.State state) {
    if (state != TaskStatus.State.WAITING) return Optional.empty();
    return states
        .shard(index)
        .flatMap(Shard::owner)
        .map(owner -> "next on %s, when a task there ends".formatted(owner.worker()));
  }

  private Optional<String> doneBy(ObjectInfo sentinel) {
    return Sentinel.by(sentinel.metadata())
        .filter(by -> !by.job().equals(job.uid()))
        .map(by -> by.job() + "/" + by.task());
  }

  private boolean isOurs(ObjectInfo sentinel) {
    return Sentinel.by(sentinel.metadata()).filter(by -> by.job().equals(job.uid())).isPresent();
  }

  private Optional<AttemptFailure> failure(long index) {
    return states.shard(index).map(Shard::evidence).orElse(List.of()).stream()
        .filter(f -> f.index() == index)
        .max(Comparator.comparing(AttemptFailure::at));
  }

  private TaskAttempts attempts(long index, TaskStatus.State state, boolean foreign) {
    var last = state == TaskStatus.State.RUNNING || (state == TaskStatus.State.DONE && !foreign);
    return states
        .shard(index)
        .map(s -> s.attempts(index, last))
        .orElse(TaskAttempts.of(0, 0, last));
  }

  private List<String> workers(
      long index, Optional<ObjectInfo> sentinel, Optional<AttemptFailure> failure) {
    var running = states.running(index);
    if (running.isPresent()) return running.get().workers();
    return sentinel
        .flatMap(info -> gang(index, info))
        .or(() -> sentinel.flatMap(info -> Sentinel.times(info.metadata()).worker()).map(List::of))
        .or(() -> failure.map(AttemptFailure::allWorkers))
        .orElse(List.of());
  }

  /** The workers of the gang whose attempt made the sentinel. */
  private Optional<List<String>> gang(long index, ObjectInfo sentinel) {
    return Sentinel.by(sentinel.metadata())
        .filter(by -> by.job().equals(job.uid()))
        .flatMap(by -> states.shard(index).flatMap(shard -> shard.workers(by.attempt())));
  }

  private static Optional<Instant> endedAt(
      TaskStatus.State state, Optional<ObjectInfo> sentinel, Optional<AttemptFailure> failure) {
    if (state == TaskStatus.State.FAILED) return failure.map(AttemptFailure::at);
    return sentinel.map(info -> Sentinel.times(info.metadata()).endedAt().orElse(info.updated()));
  }
}
