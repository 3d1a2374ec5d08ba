package dev.mayfly.cli.output;

import dev.mayfly.core.query.task.TaskStatus;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The metrics of tasks as columns of their table, and the order of tasks by one of them. */
public final class MetricColumns {
  /** Numbers from here on have an exponent. */
  private static final double LARGE = 1e9;

  private static final double SMALL = 1e-4;

  private static final Pattern COUNT =
      Pattern.compile(
          "step|global_step|training_iteration|iteration|epoch|(total_|max_|num_|num_train_)?(steps|iterations|epochs)");

  private static final MathContext DIGITS = new MathContext(4);

  private MetricColumns() {}

  /** The names of all metrics of the tasks. */
  public static List<String> names(List<TaskStatus> tasks) {
    var names = new TreeSet<String>();
    tasks.forEach(task -> names.addAll(values(task).keySet()));
    return List.copyOf(names);
  }

  /** All of them: what the table is sorted by first, then what most tasks have. */
  static List<String> shown(List<TaskStatus> tasks, Optional<String> sortedBy) {
    var counts = new HashMap<String, Integer>();
    for (var task : tasks)
      values(task).keySet().forEach(name -> counts.merge(name, 1, Integer::sum));
    var common =
        names(tasks).stream()
            .filter(name -> !sortedBy.equals(Optional.of(name)))
            .sorted(Comparator.comparing((String name) -> -counts.getOrDefault(name, 0)));
    return Stream.concat(sortedBy.filter(counts::containsKey).stream(), common).toList();
  }

  /** The tasks by a metric, those without it last, and those that diverged with them. */
  public static List<TaskStatus> sorted(
      List<TaskStatus> tasks, String metric, boolean largestFirst) {
    var byValue = Comparator.<Double>naturalOrder();
    var order = Comparator.nullsLast(largestFirst ? byValue.reversed() : byValue);
    var sorted = new ArrayList<>(tasks);
    sorted.sort(Comparator.comparing(task -> counted(task, metric).orElse(null), order));
    return sorted;
  }

  /**
   * A task's value that counts among others: of one that diverged none does, whatever its metrics
   * were before, but how far it went.
   */
  public static Optional<Double> counted(TaskStatus task, String metric) {
    return task.diverged().isPresent() && !isCount(metric)
        ? Optional.empty()
        : Optional.ofNullable(values(task).get(metric));
  }

  /** Whether a metric tells how far a task is; the page has the same rule. */
  private static boolean isCount(String metric) {
    return COUNT.matcher(metric).matches();
  }

  static TableCell cell(TaskStatus task, String metric) {
    if (task.diverged().filter(names -> names.contains(metric)).isPresent())
      return TableCell.of("NaN");
    var value = values(task).get(metric);
    return TableCell.of(value == null ? "-" : number(value));
  }

  /** {@code 0.9312}, {@code 1200}, {@code 3.1E-7}: four digits that count. */
  public static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < LARGE)
      return String.format(Locale.ROOT, "%.0f", value);
    var size = Math.abs(value);
    if (size >= LARGE || size < SMALL) return String.format(Locale.ROOT, "%.3e", value);
    var digits = size >= 1_000 ? new MathContext(7) : DIGITS;
    return new BigDecimal(value).round(digits).stripTrailingZeros().toPlainString();
  }

  private static Map<String, Double> values(TaskStatus task) {
    return task.metrics().orElse(Map.of());
  }
}
