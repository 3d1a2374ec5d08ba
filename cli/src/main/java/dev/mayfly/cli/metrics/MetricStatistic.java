package dev.mayfly.cli.metrics;

import java.util.Optional;
import java.util.function.Function;

/** A number that stands for the values of one metric in a group of tasks; as options name it. */
enum MetricStatistic {
  count(s -> Optional.of((double) s.count())),
  mean(MetricSummary::mean),
  sd(MetricSummary::sd),
  min(MetricSummary::min),
  median(MetricSummary::median),
  max(MetricSummary::max);

  private final Function<MetricSummary, Optional<Double>> of;

  MetricStatistic(Function<MetricSummary, Optional<Double>> of) {
    this.of = of;
  }

  Optional<Double> of(MetricSummary summary) {
    return of.apply(summary);
  }
}
