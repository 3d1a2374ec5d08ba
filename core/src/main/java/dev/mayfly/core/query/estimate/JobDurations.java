package dev.mayfly.core.query.estimate;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the tasks of one job take, by those that ended and those that run. Times are in seconds.
 *
 * @param ended what some of its tasks took, at least one
 * @param allEnded how many have ended: {@code ended} stands for them
 * @param ages for how long those have run that run
 */
record JobDurations(List<Double> ended, long allEnded, List<Double> ages) {
  /** How much durations vary at least, by their mean: of few that ended it is not known. */
  private static final double LEAST_VARIATION = 0.3;

  private static final double MOST_DOUBT = 0.3;

  JobDurations {
    ended = List.copyOf(ended);
    ages = List.copyOf(ages);
  }

  /**
   * Durations as they may be, by the doubt of so few.
   *
   * @param mean of those that ended
   * @param factor drawing from a sample varies less than the samples that one could have had
   * @param least what every task takes: the factor is no reason to end before all that ended
   */
  record Drawn(DurationCurve curve, double mean, double factor, double least) {
    /** What a task takes. */
    double next(RandomGenerator random) {
      return all(0, random);
    }

    /** What a task still takes that has run for so long. */
    double left(double age, RandomGenerator random) {
      return all(age, random) - age;
    }

    /** Of those that take longer than that, which the factor makes longer or shorter too. */
    private double all(double age, RandomGenerator random) {
      var drawn = curve.draw(age / factor, random) * factor;
      return Math.max(drawn, Math.max(age, least));
    }
  }

  /** For the last of them: that those take longer which do not end counts more. */
  Drawn draw(RandomGenerator random) {
    return draw(random.nextDouble(MOST_DOUBT, 1), random);
  }

  /** For the next of them, which may come sooner than it seems as well as later. */
  Drawn drawNext(RandomGenerator random) {
    return draw(Math.exp(random.nextGaussian() / Math.sqrt(ended.size())), random);
  }

  private Drawn draw(double doubt, RandomGenerator random) {
    var some = new double[ended.size()];
    for (var i = 0; i < some.length; i++) some[i] = ended.get(random.nextInt(some.length));
    var running = ages.stream().mapToDouble(age -> age).toArray();
    var weight = (double) Math.max(allEnded, some.length) / some.length;
    var curve = DurationCurve.of(some, weight, running, doubt);
    var factor = Math.exp(random.nextGaussian() * variation() / Math.sqrt(some.length));
    return new Drawn(curve, Arrays.stream(some).average().orElseThrow(), factor, least(random));
  }

  /** Of n+1 tasks that are alike each is the shortest as often as any other, the next one too. */
  private double least(RandomGenerator random) {
    if (random.nextDouble() * (ended.size() + 1) < 1) return 0;
    return ended.stream().mapToDouble(it -> it).min().orElseThrow();
  }

  private double variation() {
    var mean = ended.stream().mapToDouble(it -> it).average().orElseThrow();
    var squares = ended.stream().mapToDouble(it -> (it - mean) * (it - mean)).average();
    return Math.max(LEAST_VARIATION, Math.sqrt(squares.orElseThrow()) / Math.max(mean, 0.001));
  }
}
