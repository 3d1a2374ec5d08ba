package dev.mayfly.agent.logs;

import java.time.Duration;

/**
 * How long after a piece the next may follow: the interval doubles from {@code first} to {@code
 * last}, so that a long task costs little, and stays at {@code first} while somebody reads.
 */
final class LogUploadInterval {
  private final Duration first;
  private final Duration last;
  private Duration interval;
  private Duration waited = Duration.ZERO;

  LogUploadInterval(Duration first, Duration last) {
    this.first = first;
    this.last = last;
    this.interval = first;
  }

  /** Counts the time that has passed; true when a piece may be sent. */
  boolean passed(Duration time, boolean followed) {
    waited = waited.plus(time);
    return waited.compareTo(followed ? first : interval) >= 0;
  }

  /** A piece was sent. */
  void sent() {
    waited = Duration.ZERO;
    var doubled = interval.multipliedBy(2);
    interval = doubled.compareTo(last) < 0 ? doubled : last;
  }
}
