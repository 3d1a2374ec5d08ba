package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.context.LimitOption;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.logs.JobLogs;
import dev.mayfly.cli.metrics.CurveTable;
import dev.mayfly.cli.metrics.GroupOption;
import dev.mayfly.cli.metrics.MetricCurves;
import dev.mayfly.cli.metrics.TaskRecords;
import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TaskLines;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.wire.text.KebabCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly tasks}: lists a job's tasks, or shows one of them. */
@Command(
    name = "tasks",
    description = {
      "Lists a job's tasks by index: state, attempts, time, metrics, worker, input and failure.",
      "JOB/INDEX shows one task with all of that, its output and its log's command;",
      "with --history what its metrics were over time."
    },
    footer = {
      "",
      "The states are waiting, running, done, failed (for good), stopped and inconsistent"
          + " (its output is not the one that its sentinel pins).",
      "",
      "Metrics are what tasks write to $MAYFLY_METRICS; of running tasks the newest known values,",
      "which come once a minute, and every ten seconds while submit --follow, run or logs -f runs.",
      "",
      "CPUS are the processors that an attempt used on the mean, PEAK the most memory that it had,",
      "as its machine measured both each second; - where that is not measured. Of a running task",
      "they come after a minute and then seldom; without one that took ten seconds they are left out.",
      "",
      "Examples:",
      "  mayfly tasks reddit-toxicity --state failed",
      "  mayfly tasks reddit-toxicity/137",
      "  mayfly tasks sweep --sort acc --desc -n 10",
      "  mayfly tasks sweep --group-by lr,batch --stat mean,sd,count --sort acc.mean --desc",
      "  mayfly tasks sweep -n 1000 -o csv > sweep.csv",
      "  mayfly tasks sweep/137 --history -o csv > curve.csv"
    })
public final class TasksCommand extends ClusterCommand {
  private static final int PAGE = 500;

  /** The most tasks that are read to be sorted. */
  private static final int MOST_SORTED = 10_000;

  @Parameters(
      index = "0",
      paramLabel = "JOB[/INDEX]",
      description = "The job's name, OWNER/NAME or uid; with an index, one task.")
  String job = "";

  @Option(
      names = {"-s", "--state"},
      paramLabel = "STATE",
      description = "Only tasks in this state.")
  @Nullable String state;

  @Option(names = "--from", paramLabel = "INDEX", description = "The first index (0).")
  long from;

  @Option(
      names = "--sort",
      paramLabel = "METRIC",
      description =
          "By this metric, the smallest first; tasks without it come last. With --group-by: by this"
              + " column, such as acc.mean, lr or tasks.")
  @Nullable String sort;

  @Option(names = "--desc", description = "With --sort: the largest first.")
  boolean desc;

  @Option(
      names = "--history",
      description =
          "With JOB/INDEX: what its metrics were over time, of each attempt, as it is stored in the"
              + " bucket.")
  boolean history;

  @Mixin GroupOption grouping = new GroupOption();
  @Mixin LimitOption limit = new LimitOption();

  public TasksCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var slash = job.lastIndexOf('/');
    // A name begins with a letter, as in OWNER/NAME; an index does not.
    var whole = slash < 0 || job.substring(slash + 1).matches("[a-z].*");
    var groups = grouping.isAsked();
    if (desc && sort == null) throw CommandException.input("--desc is for --sort; write both");
    if (groups && !whole)
      throw CommandException.input("--group-by is for all tasks of a job; write its name alone");
    if (history && whole)
      throw CommandException.input(
          "--history is for one task; write %s/0 --history".formatted(job));
    if (groups) group(job);
    else if (whole) list(job);
    else show(job.substring(0, slash), job.substring(slash + 1));
    return 0;
  }

  private void show(String name, String index) {
    if (!index.matches("[0-9]{1,15}"))
      throw CommandException.input(
          "'%1$s' is not a task's index; write %2$s/0 for one task, or several as: mayfly tasks %2$s --from 3 -n 2"
              .formatted(index, name));
    var task = cliContext.api().task(cluster.ofJob(name), name, Long.parseLong(index));
    if (history) {
      showHistory(name, task);
      return;
    }
    var screen = textScreen();
    var of = new Of(name);
    if (isCsv()) showCsv(TaskRecords.of(List.of(task)));
    else
      show(
          task,
          () -> screen.lines(TaskLines.page(name, task, of.asked(), cliContext.now(), screen)));
    of.cutLogs(task).forEach(screen::note);
  }

  /** With the rights of whoever asks: the objects are in the bucket. */
  private void showHistory(String name, TaskStatus task) {
    var of = cliContext.api().job(cluster.ofJob(name), name);
    var curves = new MetricCurves(cliContext.objects(), of.bucket(), of.uid()).ofTask(task.index());
    var table = new CurveTable(curves);
    if (isCsv()) showCsv(table.records());
    else
      showTable(
          curves,
          table::table,
          "nothing is stored of metrics of task " + task.index() + ", or it has written none");
    var screen = cliContext.screen();
    if (curves.size() == MetricCurves.MOST_ATTEMPTS)
      screen.note("of the newest %d attempts that have some".formatted(curves.size()));
    if (task.state() == TaskStatus.State.RUNNING)
      screen.note(
          "it runs: its metrics are stored after 1, 3, 7 and 15 minutes, then every ten, and every"
              + " minute while mayfly logs -f follows the job");
  }

  /** The job that the task belongs to, read as the caller. */
  private final class Of {
    private final Optional<JobStatus> found;
    private final List<String> unknown = new ArrayList<>();

    Of(String name) {
      found = find(name);
    }

    private Optional<JobStatus> find(String name) {
      try {
        return cliContext.api().findJob(cluster.ofJob(name), name);
      } catch (UnavailableException | DeniedException | InvalidInputException unread) {
        unknown.add("whether its log is cut is not known: " + unread.getMessage());
        return Optional.empty();
      }
    }

    Optional<Resources> asked() {
      return found.map(it -> it.spec().resources());
    }

    /** What is missing of the task's logs. */
    List<String> cutLogs(TaskStatus task) {
      try {
        found.ifPresent(it ->
            JobLogs.cut(cliContext.objects(), it.bucket(), it.uid(), task.index())
                .forEach(cut -> unknown.add(cut.text())));
      } catch (UnavailableException | DeniedException | InvalidInputException unread) {
        unknown.add("whether its log is cut is not known: " + unread.getMessage());
      }
      return unknown;
    }
  }

  @Override
  protected boolean writesCsv() {
    return true;
  }

  /** Shows groups of tasks instead of tasks. */
  private void group(String name) {
    var most = limit.checked();
    var read = new ArrayList<TaskStatus>();
    var next = read(cluster.ofJob(name), name, wanted(), MOST_SORTED, read);
    if (read.isEmpty()) {
      showTable(read, Table::new, none());
      return;
    }
    var groups = grouping.groups(name, read);
    var all = grouping.table(groups, Optional.ofNullable(sort), desc);
    var table = all.first(most);
    if (isCsv()) showCsv(table.records());
    else showTable(table.groups(), table::table, none());
    var screen = cliContext.screen();
    groups.notes().forEach(screen::note);
    if (all.groups().size() > most)
      screen.note(
          "%s shown; -n %d shows all"
              .formatted(
                  HumanAmounts.partAre(most, all.groups().size(), "group"), all.groups().size()));
    next.ifPresent(index ->
        screen.note(
            "only the first %,d tasks are counted; of the others: --from %d"
                .formatted(read.size(), index)));
  }

  private String none() {
    return wanted().map(w -> "no task is " + w).orElse("no tasks are listed yet");
  }

  private void list(String name) {
    var wanted = wanted();
    var most = limit.checked();
    var read = new ArrayList<TaskStatus>();
    var next = read(cluster.ofJob(name), name, wanted, sort == null ? most : MOST_SORTED, read);
    var sortedBy = Optional.ofNullable(sort);
    var tasks = sortedBy.map(metric -> sorted(read, metric, name, most)).orElse(read);
    var screen = cliContext.screen();
    if (isCsv()) showCsv(TaskRecords.of(tasks));
    else showTable(tasks, () -> TaskLines.table(tasks, sortedBy, cliContext.now()), none());
    if (sort != null && next.isPresent())
      screen.note(
          "only the first %,d tasks were sorted: mayfly tasks %s --sort %s --from %d"
              .formatted(read.size(), name, sort, next.get()));
    else
      next.ifPresent(index ->
          cliContext
              .screen()
              .note("there may be more: mayfly tasks %s --from %d".formatted(name, index)));
    if (tasks.stream().anyMatch(task -> task.failure().isPresent()))
      cliContext.screen().note("one task's log: mayfly logs " + name + " TASK");
  }

  private List<TaskStatus> sorted(List<TaskStatus> tasks, String metric, String name, int most) {
    var known = MetricColumns.names(tasks);
    if (known.isEmpty()) cliContext.screen().note("no task of " + name + " has reported metrics");
    else if (!known.contains(metric))
      throw CommandException.input(
          "--sort: no task has the metric '%s'; the metrics are %s"
              .formatted(metric, String.join(", ", known)));
    return MetricColumns.sorted(tasks, metric, desc).stream().limit(most).toList();
  }

  private Optional<String> wanted() {
    if (state == null) return Optional.empty();
    try {
      return Optional.of(KebabCase.of(KebabCase.constant(TaskStatus.State.class, state)));
    } catch (IllegalArgumentException unknown) {
      throw CommandException.input("--state: " + unknown.getMessage());
    }
  }

  /** Reads pages until there are enough tasks; returns where the next page would begin. */
  private Optional<Long> read(
      String in, String name, Optional<String> wanted, int most, List<TaskStatus> tasks) {
    if (from < 0) throw CommandException.input("--from is " + from + "; write 0 or more");
    var next = Optional.of(from);
    while (next.isPresent() && tasks.size() < most) {
      var size = Math.min(PAGE, most - tasks.size());
      var page = cliContext.api().tasks(in, name, wanted, next.get(), size);
      tasks.addAll(page.tasks());
      next = page.next();
    }
    return next;
  }
}
