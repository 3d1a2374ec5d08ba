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
 * @param listed of a job that ends before its list of inputs is complete, how many of them are in
 *     its task list objects
 * @param leftOut inputs that are no tasks, as far as the list is complete
 * @param before how many were done when their shards were made; absent if none was
 */
public record JobTasks(
    long count,
    Optional<List<TaskItem>> items,
    long shardSize,
    Optional<OpenTasks> open,
    Optional<Long> listed,
    Optional<LeftOutInputs> leftOut,
    Optional<Long> before) {
  public static final JobTasks UNLISTED = new JobTasks(0, Optional.empty(), 1);

  public JobTasks {
    items = items.map(List::copyOf);
  }

  /** All there will be. */
  public JobTasks(long count, Optional<List<TaskItem>> items, long shardSize) {
    this(
        count,
        items,
        shardSize,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** One task a shard, and more may come. */
  public static JobTasks open(long count, OpenTasks openTasks) {
    return new JobTasks(
        count,
        Optional.empty(),
        1,
        Optional.of(openTasks),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The first part of a list that is not completed. */
  public static JobTasks unfinished(long listed) {
    return new JobTasks(
        0,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.of(listed),
        Optional.empty(),
        Optional.empty());
  }

  public JobTasks with(OpenTasks next) {
    return new JobTasks(count, items, shardSize, Optional.of(next), listed, leftOut, before);
  }

  /** With some that are added to an open job. */
  public JobTasks plus(long added, OpenTasks next) {
    var some = Optional.of(next);
    return new JobTasks(count + added, items, shardSize, some, listed, leftOut, before);
  }

  /** With more inputs that are left out. */
  public JobTasks leaving(Optional<LeftOutInputs> more) {
    var all = leftOut.map(some -> some.plus(more)).or(() -> more);
    return new JobTasks(count, items, shardSize, open, listed, all, before);
  }

  /** Before the first of them is in a shard. */
  public JobTasks uncut() {
    return new JobTasks(count, items, shardSize, open, listed, leftOut, Optional.empty());
  }

  /** With some more that need not run. */
  public JobTasks plusBefore(long done) {
    var sum = Optional.of(before.orElse(0L) + done).filter(n -> n > 0);
    return new JobTasks(count, items, shardSize, open, listed, leftOut, sum);
  }

  /** Whether more tasks may be added, so that the job must not end. */
  public boolean awaitsMore(Instant now) {
    return open.filter(tasks -> tasks.awaitsMore(now)).isPresent();
  }
}
