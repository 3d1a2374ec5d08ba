package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.follow.DetachOnInterrupt;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly retry}: runs an ended job's remaining tasks. */
@Command(
    name = "retry",
    description = {
      "Runs again the tasks of an ended job that are not done.",
      "JOB/TASKS runs single tasks again, also of a running job: JOB/3 or JOB/3,5-9.",
      "What is done stays done: mayfly submit FILE --again 3,5-9 runs it again, in a new job.",
      "--max-usd runs a job again that was stopped at its maxUsd; for a running job it only",
      "raises the limit.",
      "The tasks run the code that was submitted; to run changed code, submit the job again."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly retry reddit-toxicity --follow",
      "  mayfly retry reddit-toxicity/3,5-9",
      "  mayfly retry reddit-toxicity --max-usd 50"
    })
public final class RetryCommand extends JobCommand {
  @Option(
      names = {"-f", "--follow"},
      description = "Shows progress and failures until the job has ended.")
  boolean follow;

  @Option(
      names = "--max-usd",
      paramLabel = "USD",
      description = "What its tasks may cost from now on, in US dollars and in all.")
  Optional<BigDecimal> maxUsd = Optional.empty();

  public RetryCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var tasks = TaskSelection.parse(job);
    if (tasks.isPresent()) return retryTasks(tasks.get());
    var before = cluster.jobToChange(job);
    var isLive = before.endedAt().isEmpty();
    if (isLive && maxUsd.isPresent()) return raise(before, maxUsd.get().doubleValue());
    if (isLive)
      throw CommandException.input(
          "job "
              + before.name()
              + " is "
              + before.state()
              + "; stop it, or wait until it has ended");
    var after =
        cliContext.publish(document(before), "retry of " + before.name(), () -> retried(before));
    var screen = humanScreen();
    var left = after.tasks() - after.totals().done();
    screen.line(
        "job %s runs again%s"
            .formatted(
                after.name(), left > 0 ? ": " + HumanFormat.count(left, "task") + " to do" : ""));
    return shown(before, after, screen);
  }

  private ParsedDocument document(JobStatus before) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cluster", before.cluster());
    fields.put("job", before.address());
    maxUsd.ifPresent(usd -> fields.put("maxUsd", SyntaxNode.plain(usd.toPlainString(), 1)));
    return UserDocuments.of("RetryJob", fields);
  }

  /** The job runs on. */
  private int raise(JobStatus before, double usd) {
    var after =
        cliContext.publish(
            document(before),
            "new maxUsd of " + before.name(),
            () ->
                Optional.of(cliContext.api().job(before.cluster(), before.uid()))
                    .filter(now -> now.maxUsd().equals(Optional.of(usd))));
    var screen = humanScreen();
    screen.line("job %s may cost %s in all".formatted(after.name(), HumanFormat.usd(usd)));
    return shown(before, after, screen);
  }

  private int retryTasks(TaskSelection selection) {
    if (maxUsd.isPresent())
      throw CommandException.input(
          "--max-usd is for a whole job; retry the job with it, or its tasks without");
    var before = cluster.jobToChange(selection.job());
    var after = selection.publish(cliContext, before, "RetryTasks");
    var screen = humanScreen();
    var states = selection.states(cliContext, after);
    screen.line("tasks %s of job %s: %s".formatted(selection.tasks(), after.name(), states.text()));
    if (states.done() > 0)
      screen.say(
          "what is done does not run again; to run these tasks whatever they are, submit the job again: mayfly submit FILE --again "
              + selection.tasks());
    return shown(before, after, screen);
  }

  private int shown(JobStatus before, JobStatus retried, Screen screen) {
    var after = retried;
    if (follow) {
      after = DetachOnInterrupt.whileFollowing(cliContext, screen, after, true, before.failures());
      screen.line(JobLines.ending(after));
    }
    showJson(after);
    return follow ? JobFollower.exitCode(after).code() : 0;
  }

  private Optional<JobStatus> retried(JobStatus before) {
    return Optional.of(cliContext.api().job(before.cluster(), before.uid()))
        .filter(j -> !j.endedAt().equals(before.endedAt()));
  }
}
