package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "Examples:",
      "  mayfly logs reddit-toxicity",
      "  mayfly logs -f reddit-toxicity 17"
    })
public final class LogsCommand extends JobCommand {
  private static final Duration EVERY = Duration.ofSeconds(1);

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "INDEX",
      description = "A single task; the same as JOB/INDEX.")
  @Nullable Long task;

  @Option(
      names = {"-f", "--follow"},
      description =
          "Continues until the job has ended. Lines arrive a few seconds after they are printed;"
              + " without"
              + " it, up to five minutes later.")
  boolean follow;

  @Option(
      names = "--rank",
      paramLabel = "N",
      description = "Only this host, for tasks that run on several hosts.")
  @Nullable Integer rank;

  private boolean shown;

  public LogsCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    readTarget();
    var view = namedJob();
    check(view);
    var one = task == null ? OptionalLong.empty() : OptionalLong.of(task);
    var gang = view.spec().gang() > 1;
    var logs = new JobLogs(cliContext.objects(), view.bucket(), view.uid(), one, gang);
    var alone = task != null || (view.tasks() == 1 && view.isListed());
    var pieces = 0;
    var logFollowKeepalive = new LogFollowKeepalive(cliContext, view.cluster(), view.address());
    while (true) {
      var ended = !follow || cliContext.api().job(view.cluster(), view.uid()).endedAt().isPresent();
      if (!ended) logFollowKeepalive.sendIfDue();
      pieces += logs.readNew(line -> show(line, alone));
      if (ended) break;
      cliContext.poller().sleeper().sleep(EVERY);
    }
    logs.flush(line -> show(line, alone));
    if (pieces == 0 || (rank != null && !shown)) cliContext.screen().note(nothing(view));
    return 0;
  }

  /** {@code JOB/3} names a task, as in other commands. */
  private void readTarget() {
    var selection = TaskSelection.parse(job);
    if (selection.isEmpty()) return;
    var tasks = selection.get().tasks();
    if (task != null || tasks.last() != tasks.ranges().getFirst().from())
      throw CommandException.input(
          "%s names more than one task; name one, as JOB/INDEX, or none for all".formatted(job));
    job = selection.get().job();
    task = tasks.last();
  }

  private String nothing(JobStatus view) {
    var source = task == null ? "job " + view.name() : "task " + task + " of job " + view.name();
    if (rank != null) source = "rank " + rank + " of " + source;
    var yet = view.endedAt().isPresent() ? "" : " yet";
    return source + " has printed nothing" + yet + "; the job is " + JobLines.state(view);
  }

  private void check(JobStatus view) {
    if (rank != null && (rank < 0 || (view.spec().gang() > 1 && rank >= view.spec().gang())))
      throw CommandException.notFound(
          "job %s has no rank %d; its ranks are 0 to %d"
              .formatted(view.name(), rank, Math.max(0, view.spec().gang() - 1)));
    if (task == null || !view.isListed()) return;
    if (task < 0 || task >= view.tasks())
      throw CommandException.notFound(
          "job %s has no task %d; its tasks are 0 to %d"
              .formatted(view.name(), task, view.tasks() - 1));
  }

  private void show(JobLogs.Line line, boolean alone) {
    if (rank != null && !line.rank().orElse(0).equals(rank)) return;
    shown = true;
    show(line, () -> cliContext.screen().line(line.label(alone) + PrintableText.text(line.text())));
  }
}
