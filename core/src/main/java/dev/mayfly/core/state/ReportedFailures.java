package dev.mayfly.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Failures that this process reported recently, so that a lasting one is reported once an hour and
 * not by each tick. Thread-safe.
 */
public final class ReportedFailures {
  private static final Duration AGAIN = Duration.ofHours(1);

  private final Map<String, Instant> reportedAt = new HashMap<>();

  /** True the first time, and once an hour while it lasts. */
  synchronized boolean isNew(String what, Instant now) {
    reportedAt.values().removeIf(at -> ElapsedTime.hasPassed(at, AGAIN, now));
    return reportedAt.putIfAbsent(what, now) == null;
  }
}
