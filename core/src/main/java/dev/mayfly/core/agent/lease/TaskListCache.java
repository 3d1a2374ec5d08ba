package dev.mayfly.core.agent.lease;

import dev.mayfly.core.agent.task.HeldLease;
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

/** The tasks of held leases: from the job's sheet, counted, or read from its task list objects. */
final class TaskListCache {
  private final Map<Chunk, List<TaskItem>> chunks = new HashMap<>();

  /** One task list object. */
  record Chunk(String job, long number) {
    static Chunk of(JobInfo sheet, long index) {
      return new Chunk(sheet.job(), index / Job.CHUNK);
    }
  }

  private static boolean listed(JobInfo sheet) {
    return sheet.items().isEmpty() && !(sheet.spec().tasks() instanceof TaskSource.Count);
  }

  void add(Chunk chunk, List<TaskItem> items) {
    chunks.put(chunk, List.copyOf(items));
  }

  /** The objects that have the tasks of the lease's range, whether they were read or not. */
  static Set<Chunk> needed(JobInfo sheet, long from, long to) {
    var needed = new HashSet<Chunk>();
    if (listed(sheet))
      for (var i = from / Job.CHUNK; i * Job.CHUNK < to; i++) needed.add(new Chunk(sheet.job(), i));
    return needed;
  }

  boolean has(Chunk chunk) {
    return chunks.containsKey(chunk);
  }

  /** Empty if the list has no line for it, which a whole task list never has. */
  Optional<TaskItem> item(JobInfo sheet, long index) {
    if (sheet.items().isPresent()) return at(sheet.items().get(), index, index);
    if (!listed(sheet)) return Optional.of(TaskItem.counted(index));
    return at(chunks.getOrDefault(Chunk.of(sheet, index), List.of()), index % Job.CHUNK, index);
  }

  private static Optional<TaskItem> at(List<TaskItem> items, long place, long index) {
    if (place < items.size() && items.get((int) place).index() == index)
      return Optional.of(items.get((int) place));
    return items.stream().filter(i -> i.index() == index).findFirst();
  }

  /** The tasks of a lease that are not to be skipped. */
  List<TaskItem> itemsOf(JobInfo sheet, HeldLease lease) {
    return LongStream.range(lease.ref.start(), lease.end())
        .filter(i -> !lease.skips(i))
        .mapToObj(i -> item(sheet, i))
        .flatMap(Optional::stream)
        .toList();
  }

  void keepOnly(Collection<Chunk> needed) {
    chunks.keySet().retainAll(needed);
  }
}
