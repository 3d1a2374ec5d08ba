package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly retry}: runs an ended job's remaining tasks. */
@Command(
    name = "retry",
    description = {
      "Runs again the tasks of an ended job that are not done.",
      "The tasks run the code that was submitted; to run changed code, submit the job again."
    },
    footer = {"", "Example:", "  mayfly retry reddit-toxicity --follow"})
public final class RetryCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Parameters(paramLabel = "JOB", description = "Its name or uid.")
  String job = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Shows progress and failures until the job has ended.")
  boolean follow;

  public RetryCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var before = cliContext.api().job(cluster.ofJob(cliContext, job), job);
    if (before.endedAt().isEmpty())
      throw new CommandException(
          CommandExitCode.INPUT,
          "job "
              + before.name()
              + " is "
              + before.state()
              + "; stop it, or wait until it has ended");
    var fields = Map.of("cluster", before.cluster(), "job", before.name());
    var message = cliContext.topics().publish(UserDocuments.of("RetryJob", fields));
    var after =
        cliContext.acceptance().await(message, "retry of " + before.name(), () -> retried(before));
    var screen = commonOptions.humanScreen(cliContext.screen());
    screen.line(
        "job "
            + after.name()
            + " runs again: "
            + HumanFormat.count(after.tasks() - after.totals().done(), "task")
            + " to do");
    if (follow) {
      after = DetachOnInterrupt.whileFollowing(cliContext, screen, after, true, before.failures());
      screen.line(JobLines.ending(after));
    }
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), after);
    return follow ? JobFollower.exitCode(after).code() : 0;
  }

  private Optional<JobStatus> retried(JobStatus before) {
    return Optional.of(cliContext.api().job(before.cluster(), before.uid()))
        .filter(j -> !j.endedAt().equals(before.endedAt()));
  }
}
