package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeibullTailTest {
  private static final double[] NONE = {};
  private final RandomGenerator random = new SplittableRandom(24);

  private double[] tasks(int count, double shape, double scale) {
    return DoubleStream.generate(
            () -> scale * Math.pow(-Math.log(1 - random.nextDouble()), 1 / shape))
        .map(time -> Math.max(0.01, time))
        .limit(count)
        .toArray();
  }

  /** The logarithm of how likely such times are with this shape, and the best scale for it. */
  private static double likelihood(double[] ended, double[] running, double shape) {
    var powers =
        DoubleStream.concat(Arrays.stream(ended), Arrays.stream(running))
            .map(time -> Math.pow(time, shape))
            .sum();
    var scale = Math.pow(powers / ended.length, 1 / shape);
    return Arrays.stream(ended)
            .map(time -> Math.log(shape / scale) + (shape - 1) * Math.log(time / scale))
            .sum()
        - powers / Math.pow(scale, shape);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 2, 7, 20})
  void shapeAndScaleOfManyTasksAreFound(double shape) {
    var tail = WeibullTail.of(tasks(4_000, shape, 90), 1, NONE, 1);

    assertThat(tail.shape()).isBetween(shape * 0.95, shape * 1.05);
    assertThat(tail.scale()).isBetween(83.0, 97.0);
  }

  /** Of few tasks, some still running, no shape beside the one found is likelier. */
  @Test
  void noOtherShapeIsLikelier() {
    for (var i = 0; i < 200; i++) {
      var shape = random.nextDouble(0.5, 8);
      var ended = tasks(random.nextInt(2, 30), shape, 90);
      var running = tasks(random.nextInt(0, 30), shape, 90);

      var found = WeibullTail.of(ended, 1, running, 1).shape();

      if (found >= 60 || found <= 0.2) continue;
      var best = likelihood(ended, running, found);
      assertThat(best)
          .isGreaterThanOrEqualTo(likelihood(ended, running, found * 1.001))
          .isGreaterThanOrEqualTo(likelihood(ended, running, found * 0.999));
    }
  }

  @Test
  void evenTasksHaveTheLargestShape() {
    assertThat(WeibullTail.of(new double[] {60, 60, 60}, 1, NONE, 1).shape()).isEqualTo(60);
    assertThat(WeibullTail.of(new double[] {0, 0}, 1, NONE, 1).shape()).isEqualTo(60);
  }

  /** A task that runs for 100,000 times as long as those that ended keeps the shape small. */
  @Test
  void taskThatDoesNotEndMakesTheShapeSmall() {
    var tail = WeibullTail.of(new double[] {1, 1.1, 0.9, 1}, 1, new double[] {100_000}, 1);

    assertThat(tail.shape()).isLessThan(0.5);
    assertThat(tail.draw(100_000, random)).isGreaterThan(100_000);
  }
}
