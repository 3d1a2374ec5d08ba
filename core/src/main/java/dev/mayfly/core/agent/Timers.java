package dev.mayfly.core.agent;

import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * What is to happen at a time of the monotonic clock. At equal times what was set first comes
 * first.
 */
final class Timers {
  static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));
  private long order;

  /** One thing to do once. */
  record Timer(long at, long order, Runnable action) {}

  Timer set(Clocks now, Duration in, Runnable action) {
    var timer = new Timer(after(now, in), order++, action);
    timers.add(timer);
    return timer;
  }

  void cancel(Timer timer) {
    timers.remove(timer);
  }

  void run(Clocks now) {
    while (!timers.isEmpty() && timers.first().at <= now.monotonicNanos())
      timers.pollFirst().action().run();
  }

  long next() {
    return timers.isEmpty() ? NEVER : timers.first().at;
  }

  static long after(Clocks now, Duration in) {
    return now.monotonicNanos() + in.toNanos();
  }
}
