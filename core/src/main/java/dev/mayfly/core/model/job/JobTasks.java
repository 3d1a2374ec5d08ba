package dev.mayfly.core.model.job;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job's tasks and how they are cut into shards.
 *
 * @param count how many, 0 until listed
 * @param items the tasks if they are few; others are in the task list objects, with their shards,
 *     or only counted
 * @param shardSize the initial number of tasks in a shard
 * @param open of a job to which messages add tasks, or did
 */
public record JobTasks(
    long count, Optional<List<TaskItem>> items, long shardSize, Optional<OpenTasks> open) {
  public static final JobTasks UNLISTED = new JobTasks(0, Optional.empty(), 1);

  public JobTasks {
    items = items.map(List::copyOf);
  }

  /** All there will be. */
  public JobTasks(long count, Optional<List<TaskItem>> items, long shardSize) {
    this(count, items, shardSize, Optional.empty());
  }

  /** One task a shard, and more may come. */
  public static JobTasks open(long count, OpenTasks openTasks) {
    return new JobTasks(count, Optional.empty(), 1, Optional.of(openTasks));
  }

  public JobTasks with(OpenTasks next) {
    return new JobTasks(count, items, shardSize, Optional.of(next));
  }

  /** Whether more tasks may be added, so that the job must not end. */
  public boolean awaitsMore(Instant now) {
    return open.filter(tasks -> tasks.awaitsMore(now)).isPresent();
  }
}
