package dev.mayfly.core.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The newest numbers that a task wrote to {@code $MAYFLY_METRICS}, by name, and its {@link TaskUse}
 * among them.
 *
 * @param index of the task in its job
 */
public record TaskMetrics(String job, long index, Map<String, Double> values) {
  /** The most names of one task. */
  public static final int NAMES = 32;

  private static final String READ_AT = TaskUse.OWN + "read-at";
  private static final String DIVERGED = TaskUse.OWN + "diverged.";
  private static final double MILLIS = 1_000;

  /** The names of a {@link TaskUse}. */
  private static final int USES = 3;

  /** The most values of one report, so that a worker's document stays small. */
  private static final int VALUES_OF_REPORT = 256;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:/-]{1,64}");

  public TaskMetrics {
    values = Map.copyOf(values);
  }

  /** Whether a task can report it; others are left out. */
  public static boolean isMetric(String name, double value) {
    return !name.startsWith(TaskUse.OWN) && NAME.matcher(name).matches() && Double.isFinite(value);
  }

  /** The metrics with the time at which the agent read the newest of them. */
  public static Map<String, Double> readAt(Map<String, Double> metrics, Instant at) {
    var values = new HashMap<>(metrics);
    values.put(READ_AT, at.toEpochMilli() / MILLIS);
    return values;
  }

  /** When the agent read the newest of these; empty of an agent of before. */
  public static Optional<Instant> readAt(Map<String, Double> metrics) {
    return Optional.ofNullable(metrics.get(READ_AT))
        .map(seconds -> Instant.ofEpochMilli(Math.round(seconds * MILLIS)));
  }

  /**
   * The name under which an attempt's metrics say that one of them became NaN or an infinity, after
   * it was a number.
   */
  public static String diverged(String name) {
    return DIVERGED + name;
  }

  /** The metrics that became NaN or an infinity, in order; empty of an agent of before too. */
  public static Optional<List<String>> diverged(Map<String, Double> metrics) {
    var names =
        metrics.keySet().stream()
            .filter(name -> name.startsWith(DIVERGED))
            .map(name -> name.substring(DIVERGED.length()))
            .sorted()
            .toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }

  /** As many of these as one report has room for, the first tasks first. */
  public static List<TaskMetrics> capped(List<TaskMetrics> all) {
    var some = new ArrayList<TaskMetrics>();
    var values = 0;
    for (var each : all) {
      values += TaskUse.reported(each.values()).map(Map::size).orElse(1);
      if (values > VALUES_OF_REPORT) break;
      some.add(each);
    }
    return some;
  }

  /** Whether both say the same of the same task, but for small changes of what it uses. */
  public boolean isNear(TaskMetrics other) {
    if (!job.equals(other.job) || index != other.index || !reportsLike(other)) return false;
    var use = TaskUse.of(values);
    var others = TaskUse.of(other.values);
    return use.isPresent() == others.isPresent()
        && use.flatMap(mine -> others.map(mine::isNear)).orElse(true);
  }

  /** Whether the same task reports the same itself. */
  public boolean reportsLike(TaskMetrics other) {
    return job.equals(other.job)
        && index == other.index
        && TaskUse.reported(values).equals(TaskUse.reported(other.values));
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
    for (var word : line.get().split(",", NAMES + USES + 1)) {
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
