package dev.mayfly.cli.metrics;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How the tasks of a sweep are grouped, and what is told of each group. */
public final class GroupOption {
  @Option(
      names = "--group-by",
      split = ",",
      paramLabel = "VARIABLE",
      description =
          "A row for each value of these variables instead of one for each task, with statistics"
              + " of metrics over the group's tasks, such as its seeds.")
  List<String> by = new ArrayList<>();

  @Option(
      names = "--stat",
      split = ",",
      paramLabel = "STATISTIC",
      description =
          "With --group-by: ${COMPLETION-CANDIDATES} (mean,sd). sd is that of a sample, by n-1.")
  List<MetricStatistic> statistics = new ArrayList<>();

  @Option(
      names = "--metric",
      split = ",",
      paramLabel = "METRIC",
      description = "With --group-by: these metrics (all).")
  List<String> metrics = new ArrayList<>();

  /** Whether groups are asked for; options of groups without them are refused. */
  public boolean isAsked() {
    if (by.isEmpty() && !(statistics.isEmpty() && metrics.isEmpty()))
      throw CommandException.input(
          "--stat and --metric are for --group-by VARIABLE; add that, or leave them out");
    return !by.isEmpty();
  }

  /** Groups the tasks of the job with that name. */
  public TaskGroups groups(String job, List<TaskStatus> tasks) {
    var variables = TaskGroups.variables(tasks);
    for (var name : by)
      if (!variables.contains(name)) throw unknown("--group-by", "variable", name, job, variables);
    return TaskGroups.of(tasks, by, metrics(job, tasks));
  }

  /** The table of those groups, sorted. */
  public GroupTable table(TaskGroups groups, Optional<String> sort, boolean largestFirst) {
    var shown =
        groups.groups().stream().flatMap(g -> g.metrics().keySet().stream()).distinct().toList();
    var table =
        GroupTable.of(
            groups,
            shown,
            statistics.isEmpty()
                ? List.of(MetricStatistic.mean, MetricStatistic.sd)
                : statistics.stream().distinct().toList());
    if (sort.isEmpty()) return table;
    return table
        .sorted(sort.get(), largestFirst)
        .orElseThrow(() ->
            CommandException.input(
                "--sort: there is no column '%s'; the columns are %s"
                    .formatted(sort.get(), String.join(", ", table.titles()))));
  }

  private List<String> metrics(String job, List<TaskStatus> tasks) {
    var known = MetricColumns.names(tasks);
    for (var name : metrics)
      if (!known.contains(name)) throw unknown("--metric", "metric", name, job, known);
    return metrics.isEmpty() ? known : metrics.stream().distinct().toList();
  }

  private static CommandException unknown(
      String option, String kind, String name, String job, List<String> known) {
    return CommandException.input(
        known.isEmpty()
            ? "%s: no task of %s has a %s".formatted(option, job, kind)
            : "%s: no task of %s has the %s '%s'; the %ss are %s"
                .formatted(option, job, kind, name, kind, String.join(", ", known)));
  }
}
