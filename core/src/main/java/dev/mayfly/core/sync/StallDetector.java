package dev.mayfly.core.sync;

import dev.mayfly.core.port.Alarms;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Alarms that notice when their process stands still: one that rings late, or should have rung by
 * now, shows that nothing here was served meanwhile.
 */
final class StallDetector implements Alarms {
  private final Alarms alarms;
  private final InstantSource clock;
  private final Duration late;

  /** How many alarms are set for a time. */
  private final TreeMap<Instant, Integer> pending = new TreeMap<>();

  private Optional<Instant> stalledUntil = Optional.empty();

  /**
   * @param late how late an alarm may ring without meaning anything
   */
  StallDetector(Alarms alarms, InstantSource clock, Duration late) {
    this.alarms = alarms;
    this.clock = clock;
    this.late = late;
  }

  /** Until when this process stood still at last, as far as it noticed. */
  synchronized Optional<Instant> stalledUntil() {
    note();
    return stalledUntil;
  }

  @Override
  public void callAt(Instant when, Runnable task) {
    var set = set(when);
    alarms.callAt(
        when,
        () -> {
          rang(set);
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

  private synchronized Instant set(Instant when) {
    var now = clock.instant();
    var rings = when.isBefore(now) ? now : when;
    pending.merge(rings, 1, Integer::sum);
    return rings;
  }

  private synchronized void rang(Instant when) {
    note();
    pending.computeIfPresent(when, (_, n) -> n == 1 ? null : n - 1);
  }

  private void note() {
    var now = clock.instant();
    if (!pending.isEmpty() && pending.firstKey().plus(late).isBefore(now))
      stalledUntil = Optional.of(now);
  }
}
