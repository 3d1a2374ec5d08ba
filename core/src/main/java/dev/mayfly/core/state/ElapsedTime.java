package dev.mayfly.core.state;

import java.time.Duration;
import java.time.Instant;

/**
 * How long ago something was. A clock that was set back makes everything long ago, not fresh for
 * hours.
 */
public final class ElapsedTime {
  private ElapsedTime() {}

  /** Whether {@code pause} has gone by since {@code last}. */
  public static boolean hasPassed(Instant last, Duration pause, Instant now) {
    return last.isAfter(now) || !now.isBefore(last.plus(pause));
  }
}
