package dev.mayfly.core.query.estimate;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How long machines of a pool take from their order to their agent's first report, in seconds.
 *
 * @param seen of others; empty if there are none
 */
record BootTimes(List<Double> seen) {
  /** How much times vary that are not seen: of one machine alone, and of each of many. */
  private static final double VARIATION = 0.3;

  private static final double LEAST_VARIATION = 0.1;

  /** So often a time is drawn that is longer than what has passed. */
  private static final int TRIES = 20;

  BootTimes {
    seen = List.copyOf(seen);
  }

  /** How much longer one takes that was ordered so long ago; infinite if nothing was seen. */
  double left(double age, RandomGenerator random) {
    if (seen.isEmpty()) return Double.POSITIVE_INFINITY;
    var variation = Math.max(LEAST_VARIATION, VARIATION / Math.sqrt(seen.size()));
    for (var i = 0; i < TRIES; i++) {
      var time =
          seen.get(random.nextInt(seen.size())) * Math.exp(random.nextGaussian() * variation);
      if (time > age) return time - age;
    }
    // One that is late may be as late again.
    return -Math.log(1 - random.nextDouble()) * Math.max(age, 1);
  }
}
