package dev.mayfly.sim.control;

import dev.mayfly.core.port.Alarms;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;

/**
 * The CPU of one function instance on Cloud Run, available only while a call is open. An alarm due
 * between two calls waits for the next call.
 */
final class CpuThrottle {
  /** The delay until a process that gets its CPU back runs what it missed. */
  private static final Duration THAW = Duration.ofMillis(1);

  private final Alarms alarms;
  private final InstantSource clock;
  private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
  private int open;

  /**
   * @param alarms of the same process without throttling
   */
  public CpuThrottle(Alarms alarms, InstantSource clock) {
    this.alarms = alarms;
    this.clock = clock;
  }

  /** The alarms of the process. */
  public Alarms alarms() {
    return new Alarms() {
      @Override
      public void callAt(Instant when, Runnable task) {
        alarms.callAt(when, () -> ring(task));
      }

      // The call is open until then, so alarms fire in it.
      @Override
      public boolean waitUntil(Instant when) {
        opened();
        alarms.callAt(when.plus(THAW), CpuThrottle.this::closed);
        return false;
      }
    };
  }

  private void ring(Runnable task) {
    if (open > 0) task.run();
    else missed.add(task);
  }

  /** A call started. */
  public void opened() {
    if (open++ > 0) return;
    alarms.callAt(clock.instant().plus(THAW), this::catchUp);
  }

  private void catchUp() {
    while (open > 0 && !missed.isEmpty()) missed.poll().run();
  }

  /** A call was answered, or failed. */
  public void closed() {
    open--;
  }
}
