package dev.mayfly.cli.output;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats tasks. */
public final class TaskLines {
  /** A narrower table of metrics names no workers. */
  private static final int WIDE = 110;

  private TaskLines() {}

  /**
   * A table of tasks, with a column for each of their metrics that it has room for. A narrow one
   * names no workers then.
   */
  public static Table table(
      List<TaskStatus> tasks, Optional<String> sortedBy, Instant now, int width) {
    var metrics = MetricColumns.shown(tasks, sortedBy, width);
    var withWorker = metrics.isEmpty() || width >= WIDE;
    var titles = new ArrayList<>(List.of("TASK", "STATE", "ATTEMPTS", "TOOK"));
    titles.addAll(metrics);
    var input = titles.size() + (withWorker ? 1 : 0);
    if (withWorker) titles.add("WORKER");
    titles.addAll(List.of("INPUT", "WHY"));
    var table = new Table(titles.toArray(String[]::new)).right(0, 2, 3).remarks();
    for (var i = 0; i < metrics.size(); i++) table.right(4 + i);
    table.names(withWorker ? new int[] {input - 1, input} : new int[] {input});
    for (var task : tasks) {
      var cells = new ArrayList<TableCell>();
      cells.add(TableCell.of(Long.toString(task.index())));
      cells.add(TableCell.state(state(task)));
      cells.add(
          TableCell.of(task.attempts().map(TaskAttempts::total).map(n -> "" + n).orElse("-")));
      cells.add(TableCell.of(took(task, now).map(HumanFormat::brief).orElse("-")));
      metrics.forEach(name -> cells.add(MetricColumns.cell(task, name)));
      if (withWorker)
        cells.add(TableCell.of(task.workers().isEmpty() ? "-" : String.join(", ", task.workers())));
      cells.add(TableCell.of(work(task)));
      cells.add(TableCell.of(why(task)));
      table.row(cells.toArray(TableCell[]::new));
    }
    return table;
  }

  /** One task on a page of its own. */
  public static List<String> page(String job, TaskStatus task, Instant now, Screen screen) {
    var lines = new ArrayList<String>();
    var state = screen.paint(Style.of(state(task)), state(task));
    lines.add(screen.paint(Style.TITLE, "task " + task.index() + " of " + job) + ": " + state);
    task.input().ifPresent(input -> field(lines, "input", input));
    if (!task.variables().isEmpty()) field(lines, "variables", variables(task));
    task.output().ifPresent(output -> field(lines, "output", output));
    task.attempts().ifPresent(attempts -> field(lines, "attempts", attempts(attempts)));
    if (task.doneBefore())
      field(lines, "sentinel", "an earlier job's or another program's: it did not run in this job");
    if (!task.workers().isEmpty()) field(lines, "worker", String.join(", ", task.workers()));
    task.waits().ifPresent(why -> field(lines, "waits", why));
    task.startedAt().ifPresent(at -> field(lines, "started", time(at, now)));
    task.endedAt().ifPresent(at -> field(lines, "ended", time(at, now)));
    took(task, now).ifPresent(took -> field(lines, "took", HumanFormat.span(took)));
    task.metrics().ifPresent(metrics -> field(lines, "metrics", metrics(metrics)));
    var failures = task.failures().orElse(List.of());
    if (failures.isEmpty())
      task.failure().ifPresent(f -> field(lines, "last failure", failure(f) + ago(f, now)));
    else lines.addAll(history(task, failures, now));
    field(lines, "log", screen.program().rewrite("mayfly logs " + job + " " + task.index()));
    return lines;
  }

  /** A line for each failed attempt that is still known. */
  private static List<String> history(TaskStatus task, List<AttemptFailure> failures, Instant now) {
    var lines = new ArrayList<String>();
    var counted =
        task.attempts().map(a -> a.failures() + a.infrastructure() + a.interruptions()).orElse(0L);
    field(
        lines,
        "failed",
        counted > failures.size()
            ? "%d times, of which the newest are known:".formatted(counted)
            : HumanFormat.count(failures.size(), "attempt") + ":");
    for (var f : failures)
      lines.add(
          "    "
              + PrintableText.line(
                  "attempt %s on %s: %s%s"
                      .formatted(f.attempt(), f.worker(), failure(f), ago(f, now))));
    return lines;
  }

  private static String ago(AttemptFailure f, Instant now) {
    return ", " + HumanFormat.age(f.at(), now) + " ago";
  }

  private static void field(List<String> lines, String name, String value) {
    lines.add("  %-13s %s".formatted(name, PrintableText.line(value)));
  }

  private static String time(Instant at, Instant now) {
    return at + " (" + HumanFormat.age(at, now) + " ago)";
  }

  private static String attempts(TaskAttempts attempts) {
    var parts = new ArrayList<String>();
    if (attempts.failures() > 0) parts.add(HumanFormat.count(attempts.failures()) + " failed");
    if (attempts.infrastructure() > 0)
      parts.add(
          HumanFormat.count(attempts.infrastructure())
              + " preempted, lost or failed by the infrastructure");
    if (attempts.interruptions() > 0)
      parts.add(
          HumanFormat.count(attempts.interruptions())
              + " ended with a machine's life or drained, without a checkpoint");
    return HumanFormat.count(attempts.total())
        + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
  }

  private static String state(TaskStatus task) {
    return task.state().name().toLowerCase(Locale.ROOT);
  }

  /** How long its attempt ran, or runs. */
  private static Optional<Duration> took(TaskStatus task, Instant now) {
    if (task.startedAt().isEmpty()) return Optional.empty();
    return Optional.of(Duration.between(task.startedAt().get(), task.endedAt().orElse(now)));
  }

  /** What tells the task from others. */
  static String work(TaskStatus task) {
    return task.input().orElseGet(() -> variables(task));
  }

  private static String variables(TaskStatus task) {
    return new TreeMap<>(task.variables())
        .entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(" "));
  }

  private static String metrics(Map<String, Double> metrics) {
    return new TreeMap<>(metrics)
        .entrySet().stream()
            .map(e -> e.getKey() + "=" + MetricColumns.number(e.getValue()))
            .collect(Collectors.joining(" "));
  }

  private static String why(TaskStatus task) {
    if (task.doneBefore()) return "done before this job";
    if (task.adoptedBy().isPresent())
      return "adopted: an earlier attempt had stored the output, not the sentinel";
    if (task.waits().isPresent()) return "waits: " + task.waits().get();
    if (task.continued().isPresent()) return "continued from " + task.continued().get();
    if (task.stalled().isPresent()) return stalled(task.stalled().get());
    return task.failure().map(f -> failure(f, f.summary())).orElse("");
  }

  private static String stalled(StalledTask task) {
    return "waits: %s; tried again until %s".formatted(task.why(), task.until());
  }

  private static String failure(AttemptFailure f) {
    return failure(f, f.evidence().strip());
  }

  private static String failure(AttemptFailure f, String words) {
    return HumanFormat.word(f.cause().name())
        + (f.exitCode() >= 0 ? " (" + ExitCode.format(f.exitCode()) + ")" : "")
        + (words.isEmpty() ? "" : ": " + words)
        + (f.isLasting() ? "; not tried again, it would fail alike" : "");
  }
}
