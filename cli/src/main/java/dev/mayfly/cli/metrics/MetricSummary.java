package dev.mayfly.cli.metrics;

import java.util.List;
import java.util.Optional;

/**
 * The values of one metric in a group of tasks.
 *
 * @param count how many tasks have one; the others are empty if none has
 * @param sd the standard deviation of a sample, by n−1; empty for a single value
 */
record MetricSummary(
    long count,
    Optional<Double> mean,
    Optional<Double> sd,
    Optional<Double> min,
    Optional<Double> median,
    Optional<Double> max) {
  private static final MetricSummary NONE =
      new MetricSummary(
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  static MetricSummary of(List<Double> values) {
    if (values.isEmpty()) return NONE;
    var sorted = values.stream().sorted().toList();
    var n = sorted.size();
    // As Welford: neither the sum of large values nor the difference of near ones is lost.
    var mean = 0.0;
    var squares = 0.0;
    for (var i = 0; i < n; i++) {
      var off = sorted.get(i) - mean;
      mean += off / (i + 1);
      squares += off * (sorted.get(i) - mean);
    }
    return new MetricSummary(
        n,
        finite(mean),
        n < 2 ? Optional.empty() : finite(Math.sqrt(squares / (n - 1))),
        Optional.of(sorted.getFirst()),
        finite(n % 2 == 1 ? sorted.get(n / 2) : sorted.get(n / 2 - 1) / 2 + sorted.get(n / 2) / 2),
        Optional.of(sorted.getLast()));
  }

  /** JSON has no infinity. */
  private static Optional<Double> finite(double value) {
    return Optional.of(value).filter(Double::isFinite);
  }
}
