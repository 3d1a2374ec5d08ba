package dev.mayfly.core.agent.lease;

import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.sync.JobInfo;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** The tasks of held leases: from the job's info, counted, or read from its task list objects. */
final class TaskListCache {
  private final Map<Chunk, List<TaskItem>> chunks = new HashMap<>();
  private final Map<LeaseRef, TaskItem> ofLeases = new HashMap<>();

  /** One task list object. */
  record Chunk(String job, long number) {
    static Chunk of(JobInfo jobInfo, long index) {
      return new Chunk(jobInfo.job(), index / Job.CHUNK);
    }
  }

  private static boolean listed(JobInfo jobInfo) {
    return jobInfo.items().isEmpty()
        && !(jobInfo.spec().tasks() instanceof TaskSource.Count)
        && !isOpen(jobInfo);
  }

  private static boolean isOpen(JobInfo jobInfo) {
    return jobInfo.spec().tasks() instanceof TaskSource.Open;
  }

  /** The task of an open job's lease, which came with it. */
  void add(LeaseRef lease, TaskItem item) {
    ofLeases.put(lease, item);
  }

  void remove(LeaseRef lease) {
    ofLeases.remove(lease);
  }

  void add(Chunk chunk, List<TaskItem> items) {
    chunks.put(chunk, List.copyOf(items));
  }

  /** The task list objects for the lease's range, fetched or not. */
  static Set<Chunk> needed(JobInfo jobInfo, long from, long to) {
    var needed = new HashSet<Chunk>();
    if (listed(jobInfo))
      for (var i = from / Job.CHUNK; i * Job.CHUNK < to; i++)
        needed.add(new Chunk(jobInfo.job(), i));
    return needed;
  }

  boolean has(Chunk chunk) {
    return chunks.containsKey(chunk);
  }

  /** Empty if the list has no line for it, which never happens with a complete task list. */
  Optional<TaskItem> item(JobInfo jobInfo, long index) {
    if (jobInfo.items().isPresent()) return at(jobInfo.items().get(), index, index);
    if (isOpen(jobInfo)) return ofLease(jobInfo.job(), index);
    if (!listed(jobInfo)) return Optional.of(TaskItem.counted(index));
    return at(chunks.getOrDefault(Chunk.of(jobInfo, index), List.of()), index % Job.CHUNK, index);
  }

  private Optional<TaskItem> ofLease(String job, long index) {
    return ofLeases.entrySet().stream()
        .filter(e -> e.getKey().job().equals(job) && e.getValue().index() == index)
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static Optional<TaskItem> at(List<TaskItem> items, long place, long index) {
    if (place < items.size() && items.get((int) place).index() == index)
      return Optional.of(items.get((int) place));
    return items.stream().filter(i -> i.index() == index).findFirst();
  }

  /** The lease's tasks, without those to skip. */
  List<TaskItem> itemsOf(JobInfo jobInfo, HeldLease lease) {
    return LongStream.range(lease.ref.start(), lease.end())
        .filter(i -> !lease.skips(i))
        .mapToObj(i -> item(jobInfo, i))
        .flatMap(Optional::stream)
        .toList();
  }

  void keepOnly(Collection<Chunk> needed) {
    chunks.keySet().retainAll(needed);
  }
}
