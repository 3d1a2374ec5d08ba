package dev.mayfly.gcs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long something is tried again that makes no progress. */
final class ProgressDeadline {
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Duration limit;
  private long since = System.nanoTime();
  private int failed;

  ProgressDeadline(Duration limit) {
    this.limit = limit;
  }

  /** Something is asked for now; what passed since the last progress was the caller's own time. */
  void begins() {
    if (failed == 0) since = System.nanoTime();
  }

  void progressed() {
    failed = 0;
  }

  /** Waits before the next try; throws when there was no progress for too long. */
  void pauseAfter(IOException failure) throws IOException {
    var left = limit.minusNanos(System.nanoTime() - since);
    if (!left.isPositive())
      throw new IOException(
          "no progress for %.0f s; the last try: %s".formatted(limit.toMillis() / 1e3, failure),
          failure);
    var most = Math.min(FIRST.toMillis() << Math.min(failed++, 10), LONGEST.toMillis());
    try {
      Thread.sleep(Math.min(ThreadLocalRandom.current().nextLong(most + 1), left.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var interrupted = new InterruptedIOException("interrupted while it waited to try again");
      interrupted.initCause(failure);
      throw interrupted;
    }
  }
}
