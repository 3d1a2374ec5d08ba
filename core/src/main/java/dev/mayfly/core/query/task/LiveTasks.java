package dev.mayfly.core.query.task;

import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.lifecycle.FinalFailures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tasks of a job by its shards, as they were last written. A task of no readable shard waits.
 */
final class LiveTasks {
  private static final int MAX_SHARDS = 100;

  /** Task list objects of one page; each holds {@link Job#CHUNK} tasks. */
  private static final int MOST_LISTS = 10;

  private final Context context;
  private final TaskLister lister;

  LiveTasks(Context context) {
    this.context = context;
    lister = new TaskLister(context.objects(), context.codec());
  }

  /** The tasks that fit, and where the search ended. */
  private record Selection(List<Long> indexes, Optional<Long> next) {}

  TaskPage page(Cluster cluster, Job job, TaskRequest taskRequest) {
    var most = mostShards(job, taskRequest);
    var shards = shards(job, taskRequest.from(), most);
    var end = shards.size() < most ? job.tasks().count() : shards.getLast().end();
    var told = FinalFailures.told(shards, job);
    var states = new ShardStates(job, told, RunningTasks.of(context.ledger(), told));
    var selection = select(job, states, taskRequest, Math.min(end, job.tasks().count()));
    var items = items(cluster, job, selection.indexes(), shards);
    var taskDetails = new TaskDetails(context, cluster, job, states);
    return new TaskPage(taskDetails.views(items), selection.next());
  }

  /** Enough for a page of all tasks, as shards were cut; a split shard makes the page shorter. */
  private static int mostShards(Job job, TaskRequest taskRequest) {
    if (taskRequest.state().isPresent()) return MAX_SHARDS;
    return Math.clamp(
        taskRequest.limit() / Math.max(1, job.tasks().shardSize()) + 2, 2, MAX_SHARDS);
  }

  /** The failed attempts of one task that its shard kept, oldest first. */
  List<AttemptFailure> failures(Job job, long index) {
    return shards(job, index, 2).stream()
        .filter(shard -> shard.has(index))
        .flatMap(shard -> shard.evidence().stream())
        .filter(failure -> failure.index() == index)
        .sorted(Comparator.comparing(AttemptFailure::at))
        .toList();
  }

  /** Shards by start; one of them holds the index, and at most so many are behind it. */
  private List<Shard> shards(Job job, long from, int most) {
    // Shards are cut at multiples of their first size, and split further.
    var start = job.tasks().shardSize() == 0 ? 0 : from - from % job.tasks().shardSize();
    var found = read(job, start, most);
    while (found.size() == most && found.getLast().end() <= from)
      found = read(job, found.getLast().end(), most);
    return found;
  }

  private List<Shard> read(Job job, long start, int most) {
    return context
        .ledger()
        .query(new LedgerQuery.Shards(job.cluster(), job.uid(), start, most))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private static Selection select(Job job, ShardStates states, TaskRequest taskRequest, long end) {
    var indexes = new ArrayList<Long>();
    var lists = new HashSet<Long>();
    for (var i = taskRequest.from(); i < end; i++) {
      if (!taskRequest.wants(states.of(i))) continue;
      var full = indexes.size() == taskRequest.limit();
      if (full || (isListed(job) && lists.add(i / Job.CHUNK) && lists.size() > MOST_LISTS))
        return new Selection(indexes, Optional.of(i));
      indexes.add(i);
    }
    var more = end < job.tasks().count() && end > taskRequest.from();
    return new Selection(indexes, more ? Optional.of(end) : Optional.empty());
  }

  private static boolean isListed(Job job) {
    return job.tasks().items().isEmpty()
        && !(job.spec().tasks() instanceof TaskSource.Count)
        && !(job.spec().tasks() instanceof TaskSource.Open);
  }

  private List<TaskItem> items(Cluster cluster, Job job, List<Long> indexes, List<Shard> shards) {
    var ranges = new TreeMap<Long, List<Long>>();
    for (var i : indexes) ranges.computeIfAbsent(i / Job.CHUNK, _ -> new ArrayList<>()).add(i);
    var bucketLayout = BucketLayout.of(cluster.spec().bucket());
    var items = new ArrayList<TaskItem>();
    for (var range : ranges.values()) {
      var known = new HashMap<Long, TaskItem>();
      lister
          .read(job, bucketLayout, range.getFirst(), range.getLast() + 1, shards)
          .forEach(item -> known.put(item.index(), item));
      for (var i : range) items.add(known.getOrDefault(i, TaskItem.counted(i)));
    }
    return items;
  }

  /** Finds the state of a task in some shards. */
  static final class ShardStates {
    private final Job job;
    private final TreeMap<Long, Shard> shards = new TreeMap<>();
    private final Map<Long, RunningTasks> running;

    ShardStates(Job job, List<Shard> shards, Map<Long, RunningTasks> running) {
      this.job = job;
      this.running = running;
      shards.forEach(shard -> this.shards.put(shard.start(), shard));
    }

    Optional<Shard> shard(long index) {
      return Optional.ofNullable(shards.floorEntry(index))
          .map(Map.Entry::getValue)
          .filter(shard -> shard.has(index));
    }

    Optional<RunningTasks> running(long index) {
      return shard(index)
          .flatMap(s -> Optional.ofNullable(running.get(s.start())))
          .filter(tasks -> tasks.has(index));
    }

    TaskStatus.State of(long index) {
      var shard = shard(index);
      if (shard.filter(s -> s.done().has(index)).isPresent()) return TaskStatus.State.DONE;
      var ending = shard.filter(s -> s.recalled().has(index)).isPresent();
      if (ending && running(index).isPresent()) return TaskStatus.State.RUNNING;
      if (shard.filter(s -> s.stopped().has(index)).isPresent()) return TaskStatus.State.STOPPED;
      if (shard.filter(s -> s.failed().has(index)).isPresent()) return TaskStatus.State.FAILED;
      if (job.state().ended()) return TaskStatus.State.STOPPED;
      return running(index).isPresent() ? TaskStatus.State.RUNNING : TaskStatus.State.WAITING;
    }
  }
}
