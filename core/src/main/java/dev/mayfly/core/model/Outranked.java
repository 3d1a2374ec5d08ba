package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A running task that is to end, so that a waiting job of a higher priority has its room.
 *
 * @param index of the task
 * @param job uid of the waiting job
 * @param by its address
 * @param priority of that job
 * @param since when that was decided
 * @param until when its agent kills it at the latest, once it has heard of it
 */
public record Outranked(
    long index, String job, String by, int priority, Instant since, Instant until) {
  /** Why the attempt ends, for people. */
  public String why() {
    return "ended for job %s of priority %d".formatted(by, priority);
  }

  /** Those of the tasks in [from, to); absent without any. */
  public static Optional<List<Outranked>> within(
      Optional<List<Outranked>> tasks, long from, long to) {
    return tasks
        .map(all -> all.stream().filter(it -> it.index >= from && it.index < to).toList())
        .filter(all -> !all.isEmpty());
  }

  /** Those but the tasks that are done; absent without any. */
  public static Optional<List<Outranked>> without(Optional<List<Outranked>> tasks, TaskSet done) {
    return tasks
        .map(all -> all.stream().filter(it -> !done.has(it.index)).toList())
        .filter(all -> !all.isEmpty());
  }
}
