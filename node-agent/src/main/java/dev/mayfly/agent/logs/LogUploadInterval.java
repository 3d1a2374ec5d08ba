package dev.mayfly.agent.logs;

import java.time.Duration;

/**
 * The time until the next piece. The interval doubles from {@code first} to {@code last}, so that a
 * long task costs little, and stays at {@code first} while the log is followed.
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

  /** Adds the time that has passed; returns whether a piece may be sent. */
  boolean passed(Duration time, boolean followed) {
    waited = waited.plus(time);
    return waited.compareTo(followed ? first : interval) >= 0;
  }

  void sent() {
    waited = Duration.ZERO;
    var doubled = interval.multipliedBy(2);
    interval = doubled.compareTo(last) < 0 ? doubled : last;
  }
}
