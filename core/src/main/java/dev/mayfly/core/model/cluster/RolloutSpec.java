package dev.mayfly.core.model.cluster;

import java.time.Duration;

/**
 * How the workers of a pool are replaced after a change that a running machine cannot follow.
 *
 * @param within how long tasks on an old worker may take to end; then they are stopped and run
 *     again elsewhere
 * @param percent of a pool's workers that may be leaving or in flight at once while jobs run; at
 *     least one
 */
public record RolloutSpec(Duration within, int percent) {
  public static final RolloutSpec DEFAULT = new RolloutSpec(Duration.ofHours(1), 25);

  public RolloutSpec {
    if (percent < 1 || percent > 100) throw new IllegalArgumentException("percent " + percent);
  }

  /** How many of a pool's {@code workers} may be replaced at once. */
  public int atOnce(int workers) {
    return Math.max(1, workers * percent / 100);
  }
}
