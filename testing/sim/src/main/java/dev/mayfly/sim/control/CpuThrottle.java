package dev.mayfly.sim.control;

import dev.mayfly.core.port.Alarms;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;

/**
 * The processor of one function instance on Cloud Run: it has time only while a call is open. An
 * alarm that rings between two calls waits for the next one.
 */
final class CpuThrottle {
  /** Until a process that gets its processor back does what it missed. */
  private static final Duration THAW = Duration.ofMillis(1);

  private final Alarms alarms;
  private final InstantSource clock;
  private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
  private int open;

  /**
   * @param alarms of the same process with a processor of its own
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

      // The call is not over before then, and alarms ring in it.
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

  /** A call begins. */
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
