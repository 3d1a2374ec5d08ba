package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.logs.JobLogs;
import dev.mayfly.cli.logs.LogFollowKeepalive;
import dev.mayfly.cli.logs.LogLine;
import dev.mayfly.cli.logs.LogOptions;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly logs}: shows the output of tasks. */
@Command(
    name = "logs",
    description = "Shows the output of a job's tasks, during and after the life of their workers.",
    footer = {
      "",
      "Each line begins with its task, [7]; once a task has a second attempt, also with the",
      "attempt, [7/s0e3], which explain and events name too; and with the rank of a host, [7/r1].",
      "",
      "Terminal control sequences are removed, also in a pipe; -o json keeps them.",
      "",
      "Lines have no times of their own. A worker stores what a task has printed within ten seconds,"
          + " as",
      "a piece with a time: --since shows each piece since then, and so up to ten seconds more.",
      "",
      "Examples:",
      "  mayfly logs reddit-toxicity",
      "  mayfly logs -f reddit-toxicity 17",
      "  mayfly logs reddit-toxicity -n 1",
      "  mayfly logs reddit-toxicity --grep 'error|Traceback' --since 1h",
      "  mayfly logs reddit-toxicity/17 --attempt s0e3"
    })
public final class LogsCommand extends JobCommand {
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Logs of which is said one by one that they are cut. */
  private static final int MOST_CUT = 3;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "INDEX",
      description = "A single task; the same as JOB/INDEX.")
  @Nullable String index;

  private @Nullable Long task;

  @Option(
      names = {"-f", "--follow"},
      description =
          "Follows the log until the job ends; lines arrive within a few seconds instead of about"
              + " ten.")
  boolean follow;

  @Mixin LogOptions options = new LogOptions();

  private boolean shown;

  public LogsCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    readTarget();
    var one = task == null ? OptionalLong.empty() : OptionalLong.of(task);
    var selection = options.selection(one, cliContext.now(), isJson());
    var view = namedJob();
    check(view);
    var gang = view.spec().gang() > 1;
    var logs = new JobLogs(cliContext.objects(), view.bucket(), view.uid(), gang, selection);
    var alone = task != null || (view.tasks() == 1 && view.isListed());
    read(view, logs, line -> show(line, alone));
    if (!shown) nothing(view, logs);
    EarlierWork.of(cliContext.api(), view, one, shown).ifPresent(cliContext.screen()::note);
    cut(view, logs.cut());
    return 0;
  }

  /** The lines that say so may be far up. */
  private void cut(JobStatus view, List<CutLog> cut) {
    var screen = cliContext.screen();
    cut.stream().limit(MOST_CUT).forEach(log -> screen.note(log.text()));
    if (cut.size() > MOST_CUT)
      screen.note(
          "%s more have logs with parts left out; of one task: mayfly tasks %s/TASK"
              .formatted(HumanAmounts.count(cut.size() - MOST_CUT, "attempt"), view.name()));
  }

  private void read(JobStatus view, JobLogs logs, Consumer<LogLine> use) {
    var logFollowKeepalive = new LogFollowKeepalive(cliContext, view.cluster(), view.address());
    while (follow && isRunning(view)) {
      logFollowKeepalive.sendIfDue();
      logs.readNew(use);
      cliContext.poller().sleeper().sleep(EVERY);
    }
    logs.readLast(use);
  }

  private boolean isRunning(JobStatus view) {
    return cliContext.api().job(view.cluster(), view.uid()).endedAt().isEmpty();
  }

  /** {@code JOB/3} names a task, as in other commands. */
  private void readTarget() {
    if (index != null) readIndex(index);
    var selection = TaskSelection.parse(job);
    if (selection.isEmpty()) return;
    var tasks = selection.get().tasks();
    if (task != null || tasks.last() != tasks.ranges().getFirst().from())
      throw several(task == null ? job : job + " and " + task, selection.get().job());
    job = selection.get().job();
    task = tasks.last();
  }

  private void readIndex(String text) {
    if (text.matches("[0-9]{1,15}")) task = Long.parseLong(text);
    else if (text.matches("[-0-9,]+") || text.contains("/"))
      throw several(job + " and " + text, TaskSelection.parse(job).map(it -> it.job()).orElse(job));
    else
      throw CommandException.input(
          "'%1$s' is not a task's index; write %2$s/0, or mayfly logs %2$s for all tasks"
              .formatted(text, job.replaceFirst("/[0-9]+$", "")));
  }

  private static CommandException several(String named, String job) {
    return CommandException.input(
        ("%1$s are several tasks; logs shows one, as JOB/INDEX such as %2$s/0, or all of a job, each"
                + " line with its task: mayfly logs %2$s")
            .formatted(named, job));
  }

  /** Says why no line is shown. */
  private void nothing(JobStatus view, JobLogs logs) {
    var source = task == null ? "job " + view.name() : "task " + task + " of job " + view.name();
    var attempt = options.attempt();
    if (attempt.isPresent() && !logs.isStored() && !logs.attempts().isEmpty())
      throw CommandException.notFound(
          "%s has no attempt %s with a log; its attempts are %s"
              .formatted(source, attempt.get(), String.join(", ", logs.attempts())));
    if (options.rank().isPresent()) {
      if (view.spec().gang() <= 1) checkRank(source, logs.ranks(), options.rank().get());
      source = "rank " + options.rank().get() + " of " + source;
    }
    var ended = view.endedAt().isPresent();
    var what = logs.isStored() && options.selectsLines() ? options.inWords() : "";
    var text =
        logs.isStored() && options.selectsNone()
            ? "%s has printed something, of which -n 0 shows no line".formatted(source)
            : what.isEmpty()
                ? source + " has printed nothing" + (ended ? "" : " yet")
                : source + " has no line " + what;
    cliContext.screen().note(text + "; the job is " + JobLines.state(view));
  }

  /** How many hosts a task has that is no gang, only its logs tell. */
  private static void checkRank(String source, Set<Integer> stored, int rank) {
    if (stored.isEmpty() || stored.contains(rank)) return;
    var ranks = stored.stream().map(String::valueOf).collect(Collectors.joining(", "));
    throw CommandException.notFound(
        "%s has no rank %d with a log; there are logs of rank%s %s"
            .formatted(source, rank, stored.size() == 1 ? "" : "s", ranks));
  }

  private void check(JobStatus view) {
    var rank = options.rank().orElse(0);
    if (rank < 0 || (view.spec().gang() > 1 && rank >= view.spec().gang()))
      throw CommandException.notFound(
          "job %s has no rank %d; its ranks are 0 to %d"
              .formatted(view.name(), rank, Math.max(0, view.spec().gang() - 1)));
    if (task == null || !view.isListed()) return;
    if (task < 0 || task >= view.tasks())
      throw CommandException.notFound(
          "job %s has no task %d; its tasks are 0 to %d"
              .formatted(view.name(), task, view.tasks() - 1));
  }

  private void show(LogLine line, boolean alone) {
    shown = true;
    show(line, () -> cliContext.screen().line(line.label(alone) + line.text()));
  }
}
