package dev.mayfly.sim.control;

import dev.mayfly.core.port.ScheduledExecutor;
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

  private final ScheduledExecutor executor;
  private final InstantSource clock;
  private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
  private int open;

  /**
   * @param executor of the same process without throttling
   */
  public CpuThrottle(ScheduledExecutor executor, InstantSource clock) {
    this.executor = executor;
    this.clock = clock;
  }

  /** The executor of the process. */
  public ScheduledExecutor executor() {
    return new ScheduledExecutor() {
      @Override
      public void callAt(Instant when, Runnable task) {
        executor.callAt(when, () -> ring(task));
      }

      // The call is open until then, so scheduled tasks run in it.
      @Override
      public boolean waitUntil(Instant when) {
        opened();
        executor.callAt(when.plus(THAW), CpuThrottle.this::closed);
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
    executor.callAt(clock.instant().plus(THAW), this::catchUp);
  }

  private void catchUp() {
    while (open > 0 && !missed.isEmpty()) missed.poll().run();
  }

  /** A call was answered, or failed. */
  public void closed() {
    open--;
  }
}
