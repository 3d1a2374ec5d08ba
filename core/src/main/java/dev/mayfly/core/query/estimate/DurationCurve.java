package dev.mayfly.core.query.estimate;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long the tasks of a job take, by those that ended and those that still run: the product-limit
 * estimate of Kaplan and Meier (1958). Short tasks end first, so that those which run have to count
 * too, or every estimate would be early.
 *
 * <p>All times are in seconds.
 */
final class DurationCurve {
  /** When tasks ended, in order. */
  private final double[] ends;

  /** The part of all tasks that take longer than {@link #ends} of the same index. */
  private final double[] longer;

  private final Supplier<WeibullTail> tails;
  private @Nullable WeibullTail tail;

  private DurationCurve(double[] ends, double[] longer, Supplier<WeibullTail> tails) {
    this.ends = ends;
    this.longer = longer;
    this.tails = tails;
  }

  /**
   * @param ended what tasks took, at least one
   * @param weight how many tasks each of {@code ended} stands for
   * @param running for how long tasks have run that have not ended
   * @param doubt as for {@link WeibullTail#of}
   */
  static DurationCurve of(double[] ended, double weight, double[] running, double doubt) {
    var ends = ended.clone();
    var ages = running.clone();
    Arrays.sort(ends);
    Arrays.sort(ages);
    var longer = new double[ends.length];
    var left = 1.0;
    for (int i = 0, younger = 0; i < ends.length; i++) {
      while (younger < ages.length && ages[younger] < ends[i]) younger++;
      var atRisk = (ends.length - i) * weight + ages.length - younger;
      left *= 1 - weight / atRisk;
      longer[i] = left;
    }
    return new DurationCurve(ends, longer, () -> WeibullTail.of(ends, weight, ages, doubt));
  }

  /** What a task takes that has run for so long. */
  double draw(double age, RandomGenerator random) {
    var first = firstAfter(age);
    var before = first == 0 ? 1 : longer[first - 1];
    var part = random.nextDouble() * before;
    for (var i = first; i < ends.length; i++) if (longer[i] <= part) return ends[i];
    return tail().draw(Math.max(age, ends[ends.length - 1]), random);
  }

  /** Few curves are asked for it, and it costs more than all the rest of one. */
  private WeibullTail tail() {
    if (tail == null) tail = tails.get();
    return tail;
  }

  private int firstAfter(double age) {
    var at = Arrays.binarySearch(ends, age);
    if (at < 0) return -at - 1;
    while (at < ends.length && ends[at] <= age) at++;
    return at;
  }
}
