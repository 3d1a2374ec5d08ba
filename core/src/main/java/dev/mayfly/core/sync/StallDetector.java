package dev.mayfly.core.sync;

import dev.mayfly.core.port.ScheduledExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An executor that detects suspension of its process: an alarm that is late or overdue shows that
 * nothing was served in between.
 */
final class StallDetector implements ScheduledExecutor {
  private final ScheduledExecutor executor;
  private final InstantSource clock;
  private final Duration late;

  /** Number of scheduled tasks by time. */
  private final TreeMap<Instant, Integer> pending = new TreeMap<>();

  private Optional<Instant> stalledUntil = Optional.empty();

  /**
   * @param late delay of an alarm that is still normal
   */
  StallDetector(ScheduledExecutor executor, InstantSource clock, Duration late) {
    this.executor = executor;
    this.clock = clock;
    this.late = late;
  }

  /** Until when this process was last suspended, as far as detected. */
  synchronized Optional<Instant> stalledUntil() {
    detect();
    return stalledUntil;
  }

  @Override
  public void callAt(Instant when, Runnable task) {
    var registered = register(when);
    executor.callAt(
        when,
        () -> {
          fired(registered);
          task.run();
        });
  }

  @Override
  public boolean waitUntil(Instant when) {
    return executor.waitUntil(when);
  }

  @Override
  public void runAll(List<? extends Runnable> tasks) {
    executor.runAll(tasks);
  }

  private synchronized Instant register(Instant when) {
    var now = clock.instant();
    var due = when.isBefore(now) ? now : when;
    pending.merge(due, 1, Integer::sum);
    return due;
  }

  private synchronized void fired(Instant when) {
    detect();
    pending.computeIfPresent(when, (_, n) -> n == 1 ? null : n - 1);
  }

  private void detect() {
    var now = clock.instant();
    if (!pending.isEmpty() && pending.firstKey().plus(late).isBefore(now))
      stalledUntil = Optional.of(now);
  }
}
