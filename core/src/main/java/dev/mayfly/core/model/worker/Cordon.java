package dev.mayfly.core.model.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A time in which nothing new starts on a machine, and in which it is not ended for being idle,
 * because a person looks at it, or may: the machine of a failed attempt is kept for that.
 *
 * @param since when it was asked for
 * @param until when it ends by itself: nobody pays for a machine that was forgotten
 * @param why in words
 * @param kept the attempt for which its job keeps the machine; absent if a person alone does
 */
public record Cordon(Instant since, Instant until, String why, Optional<KeptAttempt> kept) {
  /** For as long as a person looks at a machine without a word how long. */
  public static final Duration USUAL = Duration.ofHours(4);

  public static final Duration LEAST = Duration.ofMinutes(1);

  /** Longer is another pool, or a machine of one's own. */
  public static final Duration MOST = Duration.ofDays(30);

  public Cordon {
    if (until.isBefore(since)) throw new IllegalArgumentException("a cordon ends after it began");
  }

  /** By a person. */
  public Cordon(Instant since, Instant until, String why) {
    this(since, until, why, Optional.empty());
  }

  /** Because a task of a job failed there for good. */
  public static Cordon of(KeptAttempt attempt, Instant now) {
    return new Cordon(now, attempt.until(), "keepFailed of its job", Optional.of(attempt));
  }

  /** The same with what is kept; the longer time holds. */
  public Cordon keeping(KeptAttempt attempt) {
    return until.isAfter(attempt.until())
        ? new Cordon(since, until, why, Optional.of(attempt))
        : of(attempt, since);
  }

  /** The same, of an attempt whose folder is known. */
  public Cordon at(String folder) {
    return new Cordon(since, until, why, kept.map(it -> it.at(folder)));
  }

  /** The same, of whose attempt nothing is left. */
  public Cordon withoutKept() {
    return new Cordon(since, until, why);
  }

  /** Whether only a job keeps the machine, and no person has asked for it. */
  public boolean isByJob() {
    return kept.filter(it -> it.until().equals(until)).isPresent();
  }

  /** Whether it has not ended yet. */
  public boolean holds(Instant now) {
    return until.isAfter(now);
  }
}
