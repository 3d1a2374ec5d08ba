package dev.mayfly.core.agent.loop;

import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Actions to run at times of the monotonic clock. Timers with equal times run in the order in which
 * they were set.
 */
public final class TimerQueue {
  public static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));
  private long order;

  public record Timer(long at, long order, Runnable action) {}

  public Timer set(ClockReading now, Duration in, Runnable action) {
    var timer = new Timer(after(now, in), order++, action);
    timers.add(timer);
    return timer;
  }

  public void cancel(Timer timer) {
    timers.remove(timer);
  }

  /** True if something was due. */
  public boolean run(ClockReading now) {
    var ran = false;
    while (!timers.isEmpty() && timers.first().at <= now.monotonicNanos()) {
      timers.pollFirst().action().run();
      ran = true;
    }
    return ran;
  }

  public long next() {
    return timers.isEmpty() ? NEVER : timers.first().at;
  }

  public static long after(ClockReading now, Duration in) {
    return now.monotonicNanos() + in.toNanos();
  }
}
