package dev.mayfly.core.state;

import java.time.Duration;
import java.time.Instant;

/**
 * Elapsed time by the clock. After the clock was set back, everything counts as long ago rather
 * than fresh for hours.
 */
public final class ElapsedTime {
  private ElapsedTime() {}

  /** Whether {@code pause} has passed since {@code last}. */
  public static boolean hasPassed(Instant last, Duration pause, Instant now) {
    return last.isAfter(now) || !now.isBefore(last.plus(pause));
  }
}
