package dev.mayfly.sim.expectation;

import java.util.Optional;
import java.util.function.DoubleFunction;

/** Between which numbers another one is, both included. */
public record Bound(Optional<Double> least, Optional<Double> most) {
  /** Sums of decimal fractions are not exact. */
  private static final double TOLERANCE = 1e-9;

  /** That number and no other. */
  public static Bound exactly(double number) {
    return new Bound(Optional.of(number), Optional.of(number));
  }

  boolean holds(double number) {
    return least.filter(it -> number < it - TOLERANCE).isEmpty()
        && most.filter(it -> number > it + TOLERANCE).isEmpty();
  }

  /**
   * How far the number is outside, so that the worst of several is known; negative inside, the
   * nearer to zero the nearer to a limit.
   */
  double excess(double number) {
    var below = least.map(it -> it - number).orElse(Double.NEGATIVE_INFINITY);
    var above = most.map(it -> number - it).orElse(Double.NEGATIVE_INFINITY);
    return Math.max(below, above);
  }

  /** In words: {@code 3}, {@code at least 2}, {@code from 2 to 5}. */
  String words(DoubleFunction<String> format) {
    if (least.equals(most) && least.isPresent()) return format.apply(least.get());
    if (least.isEmpty()) return "at most " + most.map(format::apply).orElse("anything");
    if (most.isEmpty()) return "at least " + format.apply(least.get());
    return "from %s to %s".formatted(format.apply(least.get()), format.apply(most.get()));
  }
}
