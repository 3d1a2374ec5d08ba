package dev.mayfly.core.sync;

import dev.mayfly.core.port.Alarms;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Alarms that detect suspension of their process: an alarm that is late or overdue shows that
 * nothing was served in between.
 */
final class StallDetector implements Alarms {
  private final Alarms alarms;
  private final InstantSource clock;
  private final Duration late;

  /** Number of alarms by time. */
  private final TreeMap<Instant, Integer> pending = new TreeMap<>();

  private Optional<Instant> stalledUntil = Optional.empty();

  /**
   * @param late delay of an alarm that is still normal
   */
  StallDetector(Alarms alarms, InstantSource clock, Duration late) {
    this.alarms = alarms;
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
    alarms.callAt(
        when,
        () -> {
          fired(registered);
          task.run();
        });
  }

  @Override
  public boolean waitUntil(Instant when) {
    return alarms.waitUntil(when);
  }

  @Override
  public void runAll(List<? extends Runnable> tasks) {
    alarms.runAll(tasks);
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
