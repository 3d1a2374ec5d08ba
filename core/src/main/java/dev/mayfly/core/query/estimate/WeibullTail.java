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

  /** Newton's steps double the digits: there are about seven. */
  private static final int MOST_STEPS = 60;

  private static final double PRECISION = 1e-9;

  /** What takes no time would have no logarithm. */
  private static final double SHORTEST = 0.001;

  /**
   * As for {@link DurationCurve#of}.
   *
   * @param doubt by what the shape is multiplied: tasks that ended early tell of a shape that is
   *     too large
   */
  static WeibullTail of(double[] ended, double weight, double[] running, double doubt) {
    var ends = logs(ended);
    var ages = logs(running);
    var meanLog = Arrays.stream(ends).average().orElseThrow();
    // Powers of parts of the longest: those of seconds are too large for a number.
    var longest = Math.max(max(ends), max(ages));
    var likeliest = likeliest(ends, weight, ages, meanLog, longest);
    var shape =
        Math.min(MOST_SHAPE, Math.max(likeliest * doubt, Math.min(likeliest, LEAST_DOUBTED)));
    var powers = Sums.of(ends, weight, ages, shape, longest).powers();
    return new WeibullTail(
        shape, Math.exp(longest) * Math.pow(powers / (ends.length * weight), 1 / shape));
  }

  /**
   * Where the likelihood has no slope, by Newton's method; a step that would leave what is known to
   * enclose it halves that instead.
   */
  private static double likeliest(
      double[] ends, double weight, double[] ages, double meanLog, double longest) {
    var low = LEAST_SHAPE;
    var high = MOST_SHAPE;
    // Even durations have no likeliest shape: the larger, the likelier.
    if (slope(Sums.of(ends, weight, ages, high, longest), high, meanLog, longest) <= 0) return high;
    var shape = 1.0;
    for (var i = 0; i < MOST_STEPS && high - low > PRECISION * high; i++) {
      var sums = Sums.of(ends, weight, ages, shape, longest);
      var slope = slope(sums, shape, meanLog, longest);
      if (slope > 0) high = shape;
      else low = shape;
      var mean = sums.logs() / sums.powers();
      var bend = sums.squares() / sums.powers() - mean * mean + 1 / (shape * shape);
      var next = shape - slope / bend;
      if (Math.abs(next - shape) <= PRECISION * shape) break;
      shape = next > low && next < high ? next : (low + high) / 2;
    }
    return shape;
  }

  private static double slope(Sums sums, double shape, double meanLog, double longest) {
    return sums.logs() / sums.powers() + longest - 1 / shape - meanLog;
  }

  /** Of the logarithms of tasks' parts of the longest, each weighted by the power of its part. */
  private record Sums(double powers, double logs, double squares) {
    static Sums of(double[] ends, double weight, double[] ages, double shape, double longest) {
      return new Sums(0, 0, 0).and(ends, weight, shape, longest).and(ages, 1, shape, longest);
    }

    private Sums and(double[] times, double weight, double shape, double longest) {
      var powersOf = 0.0;
      var logsOf = 0.0;
      var squaresOf = 0.0;
      for (var time : times) {
        var part = time - longest;
        var power = Math.exp(shape * part);
        powersOf += power;
        logsOf += power * part;
        squaresOf += power * part * part;
      }
      return new Sums(
          powers + weight * powersOf, logs + weight * logsOf, squares + weight * squaresOf);
    }
  }

  private static double[] logs(double[] times) {
    return Arrays.stream(times).map(time -> Math.log(Math.max(SHORTEST, time))).toArray();
  }

  private static double max(double[] logs) {
    return Arrays.stream(logs).max().orElse(Math.log(SHORTEST));
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
