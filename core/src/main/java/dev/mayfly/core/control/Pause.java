package dev.mayfly.core.control;

import java.time.Duration;
import java.time.Instant;

/**
 * How long ago something was. A clock that was set back makes everything long ago, not fresh for
 * hours.
 */
final class Pause {
  private Pause() {}

  /** Whether {@code pause} has gone by since {@code last}. */
  static boolean over(Instant last, Duration pause, Instant now) {
    return last.isAfter(now) || !now.isBefore(last.plus(pause));
  }
}
