package dev.mayfly.core.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The newest numbers that a task wrote to {@code $MAYFLY_METRICS}, by name.
 *
 * @param index of the task in its job
 */
public record TaskMetrics(String job, long index, Map<String, Double> values) {
  /** The most names of one task. */
  public static final int NAMES = 32;

  /** The most values of one report, so that a worker's document stays small. */
  private static final int VALUES_OF_REPORT = 256;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:/-]{1,64}");

  public TaskMetrics {
    values = Map.copyOf(values);
  }

  /** Whether it can be a metric; others are left out. */
  public static boolean isMetric(String name, double value) {
    return NAME.matcher(name).matches() && Double.isFinite(value);
  }

  /** As many of these as one report has room for, the first tasks first. */
  public static List<TaskMetrics> capped(List<TaskMetrics> all) {
    var some = new ArrayList<TaskMetrics>();
    var values = 0;
    for (var each : all) {
      values += each.values().size();
      if (values > VALUES_OF_REPORT) break;
      some.add(each);
    }
    return some;
  }

  /** The values as one line of an object's metadata: {@code acc=0.93,step=3.0}. */
  public static String line(Map<String, Double> values) {
    var words = new ArrayList<String>();
    new TreeMap<>(values).forEach((name, value) -> words.add(name + "=" + value));
    return String.join(",", words);
  }

  /** What {@link #line} wrote; empty for a missing or foreign line. */
  public static Optional<Map<String, Double>> parse(Optional<String> line) {
    if (line.isEmpty()) return Optional.empty();
    var values = new LinkedHashMap<String, Double>();
    for (var word : line.get().split(",", NAMES + 1)) {
      var at = word.indexOf('=');
      try {
        if (at > 0) values.put(word.substring(0, at), Double.valueOf(word.substring(at + 1)));
      } catch (NumberFormatException foreign) {
        return Optional.empty();
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(values);
  }
}
