package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly stop}: stops a job. */
@Command(
    name = "stop",
    description = {
      "Stops a job. Done tasks stay done; mayfly retry runs the rest.",
      "JOB/TASKS stops single tasks: JOB/3 or JOB/3,5-9. They count as stopped, not as failed."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly stop reddit-toxicity --wait",
      "  mayfly stop reddit-toxicity",
      "  mayfly stop reddit-toxicity/3,5-9"
    })
public final class StopCommand extends JobCommand {
  @Option(
      names = {"-w", "--wait"},
      negatable = true,
      description =
          "Waits until no process of the job is left, and shows what remains (--no-wait is the"
              + " default).")
  boolean wait;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "300",
      description = "Maximum time to wait (300).")
  int seconds = 300;

  public StopCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var tasks = TaskSelection.parse(job);
    if (tasks.isPresent()) return stopTasks(tasks.get());
    var before = cluster.jobToChange(job);
    var screen = humanScreen();
    var after = before.endedAt().isPresent() ? before : stop(before);
    if (before.endedAt().isPresent()) screen.line("job " + before.name() + " has ended already");
    else screen.line("job " + before.name() + " is " + after.state());
    var code = 0;
    if (wait) {
      var jobStopWaiter = new JobStopWaiter(cliContext.api(), cliContext.poller());
      var result = jobStopWaiter.await(after, Duration.ofSeconds(seconds), screen::line);
      after = result.job();
      code = result.left().isEmpty() ? 0 : CommandExitCode.UNAVAILABLE.code();
      screen.line(
          result.left().isEmpty()
              ? "nothing of it is left; " + JobLines.ending(after)
              : remaining(result));
    }
    showJson(after);
    return code;
  }

  private int stopTasks(TaskSelection selection) {
    var before = cluster.jobToChange(selection.job());
    var after = selection.publish(cliContext, before, "StopTasks");
    var screen = humanScreen();
    var code = 0;
    if (wait && isLeft(selection, after)) {
      code = CommandExitCode.UNAVAILABLE.code();
      screen.line("after %d s some of them still run".formatted(seconds));
    }
    screen.line(
        "tasks %s of job %s: %s"
            .formatted(
                selection.tasks(), after.name(), selection.states(cliContext, after).text()));
    showJson(after);
    return code;
  }

  private boolean isLeft(TaskSelection selection, JobStatus of) {
    return cliContext
        .poller()
        .until(
            Duration.ofSeconds(seconds),
            Duration.ofMillis(500),
            () -> Optional.of(true).filter(_ -> !selection.isRunning(cliContext, of)))
        .isEmpty();
  }

  private String remaining(JobStopWaiter.Result result) {
    return "after %d s there is still: %s".formatted(seconds, String.join("; ", result.left()));
  }

  private JobStatus stop(JobStatus before) {
    var fields = Map.of("cluster", before.cluster(), "job", before.address());
    return cliContext.publish(
        UserDocuments.of("StopJob", fields), "stop of " + before.name(), () -> stopped(before));
  }

  private Optional<JobStatus> stopped(JobStatus before) {
    return Optional.of(cliContext.api().job(before.cluster(), before.uid()))
        .filter(j -> !j.state().equals("running") && (j.isListed() || j.endedAt().isPresent()));
  }
}
