package dev.mayfly.core.model.cluster;

import java.time.Duration;

/**
 * How the workers of a pool are replaced after a change that a running machine cannot follow.
 *
 * @param within how long what runs on an old worker may take to end; then it is stopped and runs
 *     again elsewhere
 * @param percent of a pool's workers that may be on their way out or in at once while jobs run; one
 *     at least
 */
public record RolloutSpec(Duration within, int percent) {
  public static final RolloutSpec DEFAULT = new RolloutSpec(Duration.ofHours(1), 25);

  public RolloutSpec {
    if (percent < 1 || percent > 100) throw new IllegalArgumentException("percent " + percent);
  }

  /** How many of so many workers at once. */
  public int atOnce(int workers) {
    return Math.max(1, workers * percent / 100);
  }
}
