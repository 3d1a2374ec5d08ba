package dev.mayfly.core.model.job;

import java.util.Optional;

/**
 * A job's tasks by state, summed over its shards.
 *
 * @param done with a sentinel
 * @param failed for good
 * @param ready open, in shards that are not leased
 * @param leased open, in leased shards
 * @param shards how many documents were summed
 * @param earlier done tasks that an earlier job had done: before it ends, as found when it was
 *     listed
 * @param stopped one by one by users; absent if none was
 * @param adopted of an ended job: done tasks whose sentinel was made for an attempt that could not
 *     make it itself; absent if there is none
 */
public record TaskTotals(
    long done,
    long failed,
    long ready,
    long leased,
    long shards,
    long earlier,
    Optional<Long> stopped,
    Optional<Long> adopted) {
  public static final TaskTotals NONE = new TaskTotals(0, 0, 0, 0, 0);

  /** Of a job that has not ended, or found nothing done. */
  public TaskTotals(long done, long failed, long ready, long leased, long shards) {
    this(done, failed, ready, leased, shards, 0, Optional.empty(), Optional.empty());
  }

  /** The same of a job that found some of them done. */
  public TaskTotals withEarlier(long found) {
    return new TaskTotals(done, failed, ready, leased, shards, found, stopped, adopted);
  }

  /** The same where so many of those that are leased have failed for good. */
  public TaskTotals failing(long more) {
    var some = Math.min(more, leased);
    return new TaskTotals(
        done, failed + some, ready, leased - some, shards, earlier, stopped, adopted);
  }

  public long tasks() {
    return done + failed + stopped.orElse(0L) + ready + leased;
  }

  public long open() {
    return ready + leased;
  }

  /**
   * The same for a job of {@code tasks} tasks that are all in shards: what is in no other state was
   * stopped by users.
   */
  public TaskTotals ofTasks(long tasks) {
    var rest = tasks - done - failed - ready - leased;
    return new TaskTotals(
        done,
        failed,
        ready,
        leased,
        shards,
        earlier,
        rest > 0 ? Optional.of(rest) : Optional.empty(),
        adopted);
  }
}
