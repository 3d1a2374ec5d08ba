package dev.mayfly.cli.output;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.ExitCode;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.UseText;
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
  private static final String LASTING = "; not tried again, it would fail alike";

  /** Where the texts after labels begin. */
  private static final int LABEL = 16;

  /** An agent may not measure a task at all that ends sooner. */
  private static final Duration TELLING = Duration.ofSeconds(10);

  private TaskLines() {}

  /**
   * A table of tasks, with a column for each of their metrics, and for what they used if one of
   * them ran for {@link #TELLING}.
   */
  public static Table table(List<TaskStatus> tasks, Optional<String> sortedBy, Instant now) {
    var metrics = MetricColumns.shown(tasks, sortedBy);
    var uses = tasks.stream().anyMatch(task -> task.use().isPresent() && isTelling(task, now));
    var table = new Table(columns(metrics, uses));
    for (var task : tasks) {
      var cells = new ArrayList<TableCell>();
      cells.add(TableCell.of(Long.toString(task.index())));
      cells.add(TableCell.state(state(task)));
      cells.add(
          TableCell.of(task.attempts().map(TaskAttempts::total).map(n -> "" + n).orElse("-")));
      cells.add(TableCell.of(took(task, now).map(HumanFormat::result).orElse("-")));
      if (uses) {
        cells.add(
            TableCell.of(
                task.use().flatMap(TaskUse::knownCpus).map(HumanFormat::decimal).orElse("-")));
        cells.add(
            TableCell.of(task.use().map(it -> HumanAmounts.gib(it.peakMemory())).orElse("-")));
      }
      metrics.forEach(name -> cells.add(MetricColumns.cell(task, name)));
      cells.add(TableCell.of(task.workers().isEmpty() ? "-" : String.join(", ", task.workers())));
      cells.add(TableCell.of(work(task)));
      cells.add(TableCell.of(why(task)));
      table.row(cells);
    }
    return table;
  }

  private static boolean isTelling(TaskStatus task, Instant now) {
    return took(task, now).filter(it -> it.compareTo(TELLING) >= 0).isPresent();
  }

  /** Of metrics the first leaves last; the first stays. */
  private static List<Column> columns(List<String> metrics, boolean uses) {
    var columns = new ArrayList<>(List.of(Column.number("TASK"), Column.word("STATE")));
    columns.add(Column.number("ATTEMPTS").leaves(metrics.size() + 2));
    columns.add(Column.number("TOOK").leaves(metrics.size() + 3));
    if (uses) {
      columns.add(Column.number("CPUS").leaves(metrics.size() + 4));
      columns.add(Column.number("PEAK").leaves(metrics.size() + 5));
    }
    for (var i = 0; i < metrics.size(); i++)
      columns.add(Column.number(metrics.get(i)).leaves(i == 0 ? 0 : 1 + metrics.size() - i));
    columns.add(Column.name("WORKER").least(14).leaves(1));
    columns.add(Column.name("INPUT").least(24));
    columns.add(Column.remark("WHY").least(26));
    return columns;
  }

  /**
   * One task on a page of its own.
   *
   * @param asked what a task of its job asks for, if that is known
   */
  public static List<String> page(
      String job, TaskStatus task, Optional<Resources> asked, Instant now, Screen screen) {
    var lines = new ArrayList<String>();
    var state = screen.paint(Style.of(state(task)), state(task));
    lines.add(screen.paint(Style.TITLE, "task " + task.index() + " of " + job) + ": " + state);
    task.gathered().ifPresent(words -> field(lines, "gathers", words));
    task.input()
        .ifPresent(input -> field(lines, task.gathered().isEmpty() ? "input" : "list", input));
    if (!task.variables().isEmpty()) field(lines, "variables", variables(task));
    task.output().ifPresent(output -> field(lines, "output", output));
    task.attempts().ifPresent(attempts -> field(lines, "attempts", attempts(attempts, task)));
    if (task.doneBefore())
      field(
          lines,
          "sentinel",
          task.doneBy()
                  .map("adopted from task "::concat)
                  .orElse("an earlier job's or another program's")
              + ": it did not run in this job");
    task.continued().ifPresent(from -> field(lines, "continued", "from " + from));
    if (!task.workers().isEmpty())
      field(
          lines,
          task.workers().size() > 1 ? "workers" : "worker",
          String.join(", ", task.workers()));
    task.waits().ifPresent(why -> field(lines, "waits", why));
    task.startedAt().ifPresent(at -> field(lines, "started", time(at, now, screen)));
    task.endedAt().ifPresent(at -> field(lines, "ended", time(at, now, screen)));
    took(task, now).ifPresent(took -> field(lines, "took", HumanFormat.result(took)));
    task.use()
        .ifPresent(use -> field(lines, "used", UseText.of(use, asked.orElse(Resources.ZERO))));
    if (hasResult(task) && asked.filter(a -> a.tpuChips() > 0).isPresent())
      field(lines, "tpu chips", UseText.TPU);
    task.progress()
        .filter(_ -> task.state() == TaskStatus.State.RUNNING)
        .ifPresent(progress ->
            field(
                lines,
                "progress",
                progress.text()
                    + task.metricsAt()
                        .map(at -> ", " + HumanFormat.age(at, now) + " ago")
                        .orElse("")));
    task.diverged()
        .ifPresent(
            names -> field(lines, "diverged", String.join(", ", names) + ": NaN or an infinity"));
    task.metrics().ifPresent(metrics -> field(lines, "metrics", metrics(metrics)));
    var failures = task.failures().orElse(List.of());
    if (failures.isEmpty())
      task.failure().ifPresent(f -> field(lines, "last failure", failure(f) + ago(f, now)));
    else lines.addAll(history(task, failures, now));
    var log = task.doneBy().orElse(job + " " + task.index());
    field(lines, "log", screen.program().rewrite("mayfly logs " + log));
    return lines.stream().flatMap(line -> screen.wrapped(line, LABEL).stream()).toList();
  }

  /** A line for each failed attempt that is still known. */
  private static List<String> history(TaskStatus task, List<AttemptFailure> failures, Instant now) {
    var lines = new ArrayList<String>();
    var counted = task.attempts().map(a -> a.total() - (hasResult(task) ? 1 : 0)).orElse(0L);
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
                      .formatted(f.attempt(), f.place(), failure(f), kept(f) + ago(f, now))));
    return lines;
  }

  /** What of an attempt its last checkpoint keeps, and what is lost, in seconds that add up. */
  private static String kept(AttemptFailure f) {
    var ran = Duration.ofSeconds(f.ran().toSeconds());
    if (f.keptUntil().isPresent()) {
      var lost = Duration.ofSeconds(Duration.between(f.keptUntil().get(), f.at()).toSeconds());
      if (f.startedAt().isEmpty())
        return "; its checkpoint keeps all but the last " + HumanFormat.result(lost);
      return "; its checkpoint keeps %s of %s, %s lost"
          .formatted(
              HumanFormat.result(ran.minus(lost)),
              HumanFormat.result(ran),
              HumanFormat.result(lost));
    }
    if (f.isKept()) return "; its checkpoint is kept";
    return f.wasted().isPositive()
        ? "; no checkpoint, all of %s lost".formatted(HumanFormat.result(ran))
        : "";
  }

  private static String ago(AttemptFailure f, Instant now) {
    return ", " + HumanFormat.age(f.at(), now) + " ago";
  }

  private static void field(List<String> lines, String name, String value) {
    lines.add("  %-13s %s".formatted(name, PrintableText.line(value)));
  }

  private static String time(Instant at, Instant now, Screen screen) {
    return screen.moment(at, now) + " (" + HumanFormat.age(at, now) + " ago)";
  }

  private static String attempts(TaskAttempts attempts, TaskStatus task) {
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
    var others = attempts.total() - failed(attempts) - (hasResult(task) ? 1 : 0);
    if (others > 0) parts.add(HumanFormat.count(others) + " that used up no retry");
    return HumanFormat.count(attempts.total())
        + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
  }

  private static long failed(TaskAttempts attempts) {
    return attempts.failures() + attempts.infrastructure() + attempts.interruptions();
  }

  /** Whether its last attempt runs or succeeded. */
  private static boolean hasResult(TaskStatus task) {
    return task.state() == TaskStatus.State.RUNNING
        || (!task.doneBefore()
            && (task.state() == TaskStatus.State.DONE
                || task.state() == TaskStatus.State.INCONSISTENT));
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
    return task.gathered().or(task::input).orElseGet(() -> variables(task));
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
    if (task.doneBefore())
      return "done before this job" + task.doneBy().map(", by "::concat).orElse("");
    if (task.adoptedBy().isPresent())
      return "adopted: an earlier attempt had stored the output, not the sentinel";
    if (task.waits().isPresent()) return "waits: " + task.waits().get();
    if (task.continued().isPresent()) return "continued from " + task.continued().get();
    if (task.stalled().isPresent()) return stalled(task.stalled().get());
    return task.failure()
        .map(TaskLines::shortly)
        .or(() -> task.diverged().map(TaskLines::diverged))
        .orElse("");
  }

  private static String diverged(List<String> names) {
    return "diverged: %s became NaN or an infinity".formatted(String.join(", ", names));
  }

  private static String stalled(StalledTask task) {
    return "waits: %s; tried again until %s".formatted(task.why(), task.until());
  }

  /** The evidence first, which a narrow table keeps. */
  private static String shortly(AttemptFailure f) {
    var exit = f.hadProcess() ? ", " + ExitCode.format(f.exitCode()) : "";
    var cause = HumanFormat.word(f.cause().name()) + exit;
    return (f.evidence().isBlank() ? cause : f.summary() + " (" + cause + ")")
        + (f.isLasting() ? LASTING : "");
  }

  private static String failure(AttemptFailure f) {
    var words = f.evidence().strip();
    return HumanFormat.word(f.cause().name())
        + (f.hadProcess() ? " (" + ExitCode.format(f.exitCode()) + ")" : "")
        + (words.isEmpty() ? "" : ": " + words)
        + (f.isLasting() ? LASTING : "");
  }
}
