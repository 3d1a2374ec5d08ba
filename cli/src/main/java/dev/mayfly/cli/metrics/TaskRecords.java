package dev.mayfly.cli.metrics;

import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.query.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks as records of CSV, the titles first: a column for each variable and each metric that any of
 * them has. Times are in UTC as ISO 8601 has them, and what is not known is empty.
 */
public final class TaskRecords {
  private static final List<String> TITLES =
      List.of(
          "task",
          "state",
          "attempts",
          "started",
          "ended",
          "seconds",
          "workers",
          "input",
          "output",
          "failure");

  /** Where any of them has been measured. */
  private static final List<String> USES = List.of("cpuSeconds", "cpus", "peakMemory");

  private TaskRecords() {}

  public static List<List<String>> of(List<TaskStatus> tasks) {
    var variables = TaskGroups.variables(tasks);
    var metrics = MetricColumns.names(tasks);
    var titles = new ArrayList<>(TITLES);
    var uses = tasks.stream().anyMatch(task -> task.use().isPresent());
    if (uses) titles.addAll(USES);
    variables.forEach(name -> titles.add(free(name, "variable.", titles)));
    metrics.forEach(name -> titles.add(free(name, "metric.", titles)));
    var records = new ArrayList<List<String>>();
    records.add(titles);
    for (var task : tasks) {
      var fields = fields(task);
      if (uses) fields.addAll(uses(task.use()));
      variables.forEach(name -> fields.add(task.variables().getOrDefault(name, "")));
      var values = task.metrics().orElse(Map.of());
      metrics.forEach(
          name -> fields.add(values.containsKey(name) ? CsvRecord.number(values.get(name)) : ""));
      records.add(fields);
    }
    return records;
  }

  private static String free(String name, String prefix, List<String> taken) {
    return taken.contains(name) ? prefix + name : name;
  }

  private static List<String> fields(TaskStatus task) {
    var fields = new ArrayList<String>();
    fields.add(Long.toString(task.index()));
    fields.add(task.state().name().toLowerCase(Locale.ROOT));
    fields.add(text(task.attempts().map(TaskAttempts::total)));
    fields.add(text(task.startedAt()));
    fields.add(text(task.endedAt()));
    fields.add(text(task.startedAt().flatMap(from -> task.endedAt().map(to -> seconds(from, to)))));
    fields.add(String.join(" ", task.workers()));
    fields.add(text(task.input()));
    fields.add(text(task.output()));
    fields.add(text(task.failure().map(AttemptFailure::summary)));
    return fields;
  }

  private static List<String> uses(Optional<TaskUse> use) {
    return use.map(it ->
            List.of(
                CsvRecord.number(it.cpuSeconds()),
                CsvRecord.number(it.cpus()),
                Long.toString(it.peakMemory())))
        .orElse(List.of("", "", ""));
  }

  private static String seconds(Instant from, Instant to) {
    return CsvRecord.number(Duration.between(from, to).toMillis() / 1000.0);
  }

  private static String text(Optional<?> value) {
    return value.map(Object::toString).orElse("");
  }
}
