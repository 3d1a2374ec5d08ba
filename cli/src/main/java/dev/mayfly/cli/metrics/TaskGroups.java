package dev.mayfly.cli.metrics;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tasks of a job, grouped by some of their variables: the trials of a sweep over their seeds.
 *
 * @param by the variables
 * @param groups in the order of their values
 * @param notes what a reader of the numbers has to know: who has no value, and who is not done
 */
public record TaskGroups(List<String> by, List<TaskGroup> groups, List<String> notes) {
  private static final int NAMED = 10;

  /**
   * @param metrics of which to make statistics
   */
  public static TaskGroups of(List<TaskStatus> tasks, List<String> by, List<String> metrics) {
    var grouped = new LinkedHashMap<Map<String, String>, List<TaskStatus>>();
    for (var task : tasks) grouped.computeIfAbsent(key(task, by), _ -> new ArrayList<>()).add(task);
    var groups =
        grouped.entrySet().stream()
            .map(e ->
                new TaskGroup(e.getKey(), e.getValue().size(), summaries(e.getValue(), metrics)))
            .sorted(TaskGroup.by(by))
            .toList();
    return new TaskGroups(by, groups, notes(tasks, metrics));
  }

  /** The variables that some of the tasks have. */
  public static List<String> variables(List<TaskStatus> tasks) {
    var names = new TreeSet<String>();
    tasks.forEach(task -> names.addAll(task.variables().keySet()));
    return List.copyOf(names);
  }

  private static Map<String, String> key(TaskStatus task, List<String> by) {
    var key = new LinkedHashMap<String, String>();
    for (var name : by)
      if (task.variables().containsKey(name)) key.put(name, task.variables().get(name));
    return key;
  }

  private static Map<String, MetricSummary> summaries(
      List<TaskStatus> tasks, List<String> metrics) {
    var summaries = new LinkedHashMap<String, MetricSummary>();
    for (var name : metrics)
      summaries.put(
          name,
          MetricSummary.of(
              tasks.stream().flatMap(task -> MetricColumns.counted(task, name).stream()).toList()));
    return summaries;
  }

  private static List<String> notes(List<TaskStatus> tasks, List<String> metrics) {
    var notes = new ArrayList<String>();
    var off = tasks.stream().filter(task -> task.diverged().isPresent()).toList();
    if (!off.isEmpty()) notes.add(diverged(off, tasks));
    var without = new LinkedHashMap<List<TaskStatus>, List<String>>();
    for (var name : metrics)
      without
          .computeIfAbsent(
              tasks.stream().filter(task -> !values(task).containsKey(name)).toList(),
              _ -> new ArrayList<>())
          .add(name);
    without.forEach((some, names) -> {
      if (!some.isEmpty())
        notes.add(
            "%s: %s no value and %s in tasks alone (%s)"
                .formatted(
                    String.join(", ", names),
                    part(some, tasks) + (some.size() == 1 ? " has" : " have"),
                    some.size() == 1 ? "counts" : "count",
                    states(some)));
    });
    var unfinished =
        tasks.stream()
            .filter(task -> task.state() != TaskStatus.State.DONE && !values(task).isEmpty())
            .toList();
    if (!unfinished.isEmpty()) notes.add(unfinished(unfinished, tasks));
    return notes;
  }

  private static String diverged(List<TaskStatus> off, List<TaskStatus> tasks) {
    return "%s diverged (%s) and %s for no metric: not as 0, and not with what other metrics say after it"
        .formatted(
            part(off, tasks),
            off.stream()
                .map(task -> Long.toString(task.index()))
                .limit(NAMED)
                .collect(
                    Collectors.joining(
                        ", ",
                        off.size() == 1 ? "task " : "tasks ",
                        off.size() > NAMED ? " …" : "")),
            off.size() == 1 ? "counts" : "count");
  }

  private static String unfinished(List<TaskStatus> some, List<TaskStatus> tasks) {
    var one = some.size() == 1;
    return "%s not done and %s newest values (%s); --state done leaves %s out"
        .formatted(
            part(some, tasks) + (one ? " is" : " are"),
            one ? "counts with its" : "count with their",
            states(some),
            one ? "it" : "them");
  }

  private static String part(List<TaskStatus> some, List<TaskStatus> tasks) {
    return HumanFormat.count(some.size()) + " of " + HumanFormat.count(tasks.size(), "task");
  }

  private static String states(List<TaskStatus> tasks) {
    var counts =
        tasks.stream()
            .collect(
                Collectors.groupingBy(
                    task -> task.state().name().toLowerCase(java.util.Locale.ROOT),
                    TreeMap::new,
                    Collectors.counting()));
    return counts.entrySet().stream()
        .map(e -> "%,d %s".formatted(e.getValue(), e.getKey()))
        .collect(Collectors.joining(", "));
  }

  private static Map<String, Double> values(TaskStatus task) {
    return task.metrics().orElse(Map.of());
  }
}
