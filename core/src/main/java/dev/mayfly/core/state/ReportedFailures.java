package dev.mayfly.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What one process has told of late, so that what stays wrong is told once an hour and not by each
 * tick. Safe for many threads.
 */
public final class ReportedFailures {
  private static final Duration AGAIN = Duration.ofHours(1);

  private final Map<String, Instant> told = new HashMap<>();

  /** True the first time, and once an hour as long as it stays so. */
  synchronized boolean isNew(String what, Instant now) {
    told.values().removeIf(at -> ElapsedTime.hasPassed(at, AGAIN, now));
    return told.putIfAbsent(what, now) == null;
  }
}
