package dev.mayfly.core.query.estimate;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * What tasks take that take longer than every task that ended. A Weibull distribution has even
 * durations (a large shape), those without memory (1) and those of which a few take very long
 * (less); its parameters are the likeliest ones for what ended and what still runs, as in Cohen,
 * Maximum likelihood estimation in the Weibull distribution (Technometrics, 1965).
 *
 * @param scale in seconds
 */
record WeibullTail(double shape, double scale) {
  private static final double LEAST_SHAPE = 0.2;
  private static final double MOST_SHAPE = 60;

  /** A shape that is not less by itself is not doubted further. */
  private static final double LEAST_DOUBTED = 0.8;

  private static final int STEPS = 40;

  /** What takes no time would have no logarithm. */
  private static final double SHORTEST = 0.001;

  /**
   * As for {@link DurationCurve#of}.
   *
   * @param doubt by what the shape is multiplied: tasks that ended early tell of a shape that is
   *     too large
   */
  static WeibullTail of(double[] ended, double weight, double[] running, double doubt) {
    var ends = positive(ended);
    var ages = positive(running);
    var meanLog = Arrays.stream(ends).map(Math::log).average().orElseThrow();
    // Powers of parts of the longest: those of seconds are too large for a number.
    var longest = Math.max(max(ends), max(ages));
    var low = LEAST_SHAPE;
    var high = MOST_SHAPE;
    for (var i = 0; i < STEPS; i++) {
      var shape = (low + high) / 2;
      var sums = Sums.of(ends, weight, ages, shape, longest);
      if (sums.logs() / sums.powers() - 1 / shape - meanLog > 0) high = shape;
      else low = shape;
    }
    var likeliest = (low + high) / 2;
    var shape =
        Math.min(MOST_SHAPE, Math.max(likeliest * doubt, Math.min(likeliest, LEAST_DOUBTED)));
    var powers = Sums.of(ends, weight, ages, shape, longest).powers();
    return new WeibullTail(shape, longest * Math.pow(powers / (ends.length * weight), 1 / shape));
  }

  private record Sums(double powers, double logs) {
    static Sums of(double[] ends, double weight, double[] ages, double shape, double longest) {
      var powers = 0.0;
      var logs = 0.0;
      for (var time : ends) {
        var power = weight * Math.pow(time / longest, shape);
        powers += power;
        logs += power * Math.log(time);
      }
      for (var time : ages) {
        var power = Math.pow(time / longest, shape);
        powers += power;
        logs += power * Math.log(time);
      }
      return new Sums(powers, logs);
    }
  }

  private static double[] positive(double[] times) {
    return Arrays.stream(times).map(time -> Math.max(SHORTEST, time)).toArray();
  }

  private static double max(double[] times) {
    return Arrays.stream(times).max().orElse(SHORTEST);
  }

  /** What a task takes that takes longer than that. */
  double draw(double longerThan, RandomGenerator random) {
    var more = -Math.log(1 - random.nextDouble());
    var passed = Math.pow(longerThan / scale, shape);
    // So much longer than every other that it ends now.
    if (Double.isInfinite(passed)) return longerThan;
    return scale * Math.pow(passed + more, 1 / shape);
  }
}
