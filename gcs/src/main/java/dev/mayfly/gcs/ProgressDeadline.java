package dev.mayfly.gcs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Limits retries of an operation that makes no progress. */
final class ProgressDeadline {
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Duration limit;
  private long since = System.nanoTime();
  private int failed;

  ProgressDeadline(Duration limit) {
    this.limit = limit;
  }

  /** Starts a call; the time since the last progress was the caller's own. */
  void begins() {
    if (failed == 0) since = System.nanoTime();
  }

  void progressed() {
    failed = 0;
  }

  /** Waits before the next retry; throws after too long without progress. */
  void pauseAfter(IOException failure) throws IOException {
    var left = limit.minusNanos(System.nanoTime() - since);
    if (!left.isPositive())
      throw new IOException(
          "no progress for %.0f s; the last error: %s".formatted(limit.toMillis() / 1e3, failure),
          failure);
    var most = Math.min(FIRST.toMillis() << Math.min(failed++, 10), LONGEST.toMillis());
    try {
      Thread.sleep(Math.min(ThreadLocalRandom.current().nextLong(most + 1), left.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var interrupted = new InterruptedIOException("interrupted before a retry");
      interrupted.initCause(failure);
      throw interrupted;
    }
  }
}
