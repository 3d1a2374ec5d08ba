package dev.mayfly.cli.logs;

import dev.mayfly.core.port.BucketLayout;
import java.util.Comparator;

/**
 * Who wrote a log: one attempt on one host.
 *
 * @param attempt {@code s0e3}, or {@code setup-s0e3} for what was made before it
 */
record LogSource(long task, String attempt, int rank) {
  /** By task, attempt and rank, earlier attempts first. */
  static final Comparator<LogSource> ORDER =
      Comparator.comparingLong(LogSource::task)
          .thenComparing(LogSource::attempt, LogSource::attempts)
          .thenComparingInt(LogSource::rank);

  boolean isSetup() {
    return attempt.startsWith(BucketLayout.SETUP_LOG);
  }

  /** The attempt of the task, also for its setup. */
  String ofTask() {
    return ofTask(attempt);
  }

  private static String ofTask(String attempt) {
    return attempt.startsWith(BucketLayout.SETUP_LOG)
        ? attempt.substring(BucketLayout.SETUP_LOG.length())
        : attempt;
  }

  /** Compares attempt numbers: a shorter name is a smaller number; a setup is before its task. */
  private static int attempts(String a, String b) {
    var first = ofTask(a);
    var second = ofTask(b);
    var longer = Integer.compare(first.length(), second.length());
    if (longer != 0) return longer;
    return first.equals(second) ? Integer.compare(b.length(), a.length()) : first.compareTo(second);
  }
}
