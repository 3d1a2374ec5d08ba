package dev.mayfly.core.model.worker;

import java.time.Duration;
import java.time.Instant;

/**
 * A time in which nothing new starts on a machine, and in which it is not ended for being idle,
 * because a person looks at it.
 *
 * @param since when it was asked for
 * @param until when it ends by itself: nobody pays for a machine that was forgotten
 * @param why in words
 */
public record Cordon(Instant since, Instant until, String why) {
  /** For as long as a person looks at a machine without a word how long. */
  public static final Duration USUAL = Duration.ofHours(4);

  public static final Duration LEAST = Duration.ofMinutes(1);

  /** Longer is another pool, or a machine of one's own. */
  public static final Duration MOST = Duration.ofDays(30);

  public Cordon {
    if (until.isBefore(since)) throw new IllegalArgumentException("a cordon ends after it began");
  }

  /** Whether it has not ended yet. */
  public boolean holds(Instant now) {
    return until.isAfter(now);
  }
}
