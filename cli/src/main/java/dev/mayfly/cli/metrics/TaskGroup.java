package dev.mayfly.cli.metrics;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks with the same values of some variables.
 *
 * @param group these values; a variable that the tasks don't have is absent
 * @param tasks how many, whether or not they have metrics
 * @param metrics by name
 */
record TaskGroup(Map<String, String> group, long tasks, Map<String, MetricSummary> metrics) {
  public TaskGroup {
    group = Collections.unmodifiableMap(new LinkedHashMap<>(group));
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  Optional<Double> value(String metric, MetricStatistic statistic) {
    return Optional.ofNullable(metrics.get(metric)).flatMap(statistic::of);
  }

  Optional<String> value(String variable) {
    return Optional.ofNullable(group.get(variable));
  }

  /** By these variables: numbers by size, then other words, then tasks without the variable. */
  static Comparator<TaskGroup> by(List<String> variables) {
    return variables.stream()
        .map(name -> Comparator.comparing((TaskGroup g) -> g.value(name), TaskGroup::compare))
        .reduce(Comparator::thenComparing)
        .orElseThrow();
  }

  private static int compare(Optional<String> a, Optional<String> b) {
    if (a.isEmpty() || b.isEmpty()) return Boolean.compare(a.isEmpty(), b.isEmpty());
    var left = number(a.get());
    var right = number(b.get());
    if (left.isPresent() && right.isPresent() && !left.equals(right))
      return Double.compare(left.get(), right.get());
    if (left.isPresent() != right.isPresent()) return left.isPresent() ? -1 : 1;
    return a.get().compareTo(b.get());
  }

  private static Optional<Double> number(String text) {
    return text.matches("[-+]?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]{1,3})?")
        ? Optional.of(Double.valueOf(text))
        : Optional.empty();
  }
}
