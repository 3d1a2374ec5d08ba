package dev.mayfly.gcs;

import dev.mayfly.core.port.ObjectUrl;
import java.time.Duration;
import java.util.Optional;

/**
 * Counts small uploads whose first try failed, so that a log says what an ailing network or store
 * costs, and not once for each object.
 */
final class ResentUploads {
  private static final long EVERY = Duration.ofMinutes(1).toNanos();

  private long untold;
  private Optional<Long> toldAt = Optional.empty();

  /**
   * What to say now, with those since the last time; empty within a minute of that.
   *
   * @param now in nanoseconds
   */
  synchronized Optional<String> add(ObjectUrl url, String why, long now) {
    untold++;
    if (toldAt.filter(before -> now - before < EVERY).isPresent()) return Optional.empty();
    var words =
        untold == 1
            ? "a small upload is sent again: %s: %s".formatted(url, why)
            : "%,d small uploads were sent again, the last one %s: %s".formatted(untold, url, why);
    untold = 0;
    toldAt = Optional.of(now);
    return Optional.of(words);
  }
}
