package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.follow.DetachOnInterrupt;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly retry}: runs an ended job's remaining tasks. */
@Command(
    name = "retry",
    description = {
      "Runs again the tasks of an ended job that are not done.",
      "JOB/TASKS runs single tasks again, also of a running job: JOB/3 or JOB/3,5-9.",
      "The tasks run the code that was submitted; to run changed code, submit the job again."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly retry reddit-toxicity --follow",
      "  mayfly retry reddit-toxicity/3,5-9"
    })
public final class RetryCommand extends JobCommand {
  @Option(
      names = {"-f", "--follow"},
      description = "Shows progress and failures until the job has ended.")
  boolean follow;

  public RetryCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var tasks = TaskSelection.parse(job);
    if (tasks.isPresent()) return retryTasks(tasks.get());
    var before = cluster.jobToChange(job);
    if (before.endedAt().isEmpty())
      throw CommandException.input(
          "job "
              + before.name()
              + " is "
              + before.state()
              + "; stop it, or wait until it has ended");
    var fields = Map.of("cluster", before.cluster(), "job", before.address());
    var after =
        cliContext.publish(
            UserDocuments.of("RetryJob", fields),
            "retry of " + before.name(),
            () -> retried(before));
    var screen = humanScreen();
    screen.line(
        "job "
            + after.name()
            + " runs again: "
            + HumanFormat.count(after.tasks() - after.totals().done(), "task")
            + " to do");
    return shown(before, after, screen);
  }

  private int retryTasks(TaskSelection selection) {
    var before = cluster.jobToChange(selection.job());
    var after = selection.publish(cliContext, before, "RetryTasks");
    var screen = humanScreen();
    screen.line(
        "tasks %s of job %s: %s"
            .formatted(selection.tasks(), after.name(), selection.states(cliContext, after)));
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
