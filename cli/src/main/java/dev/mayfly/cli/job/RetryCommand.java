package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.follow.DetachOnInterrupt;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.DurationFormat;
import java.math.BigDecimal;
import java.time.Duration;
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
      "--max-usd runs a job again that was stopped at its maxUsd, and --max-run-time gives it",
      "another time, which each retry counts anew; for a running job they only change the limit.",
      "The tasks run the code that was submitted; to run changed code, submit the job again."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly retry reddit-toxicity --follow",
      "  mayfly retry reddit-toxicity/3,5-9",
      "  mayfly retry reddit-toxicity --max-usd 50",
      "  mayfly retry reddit-toxicity --max-run-time 24h"
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

  @Option(
      names = "--max-run-time",
      paramLabel = "TIME",
      description =
          "How long it may take from now on, such as 24h, from the start of its first task.")
  Optional<Duration> maxRunTime = Optional.empty();

  public RetryCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var tasks = TaskSelection.parse(job);
    if (tasks.isPresent()) return retryTasks(tasks.get());
    var before = cluster.jobToChange(job);
    var isLive = before.endedAt().isEmpty();
    if (isLive && changesLimits()) return raise(before);
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
    maxRunTime.ifPresent(most -> fields.put("maxRunTime", DurationFormat.write(most)));
    return UserDocuments.of("RetryJob", fields);
  }

  private boolean changesLimits() {
    return maxUsd.isPresent() || maxRunTime.isPresent();
  }

  private boolean hasLimits(JobStatus job) {
    return maxUsd.map(BigDecimal::doubleValue).filter(usd -> !isMaxUsd(job, usd)).isEmpty()
        && maxRunTime.filter(most -> !isMaxRunTime(job, most)).isEmpty();
  }

  private static boolean isMaxUsd(JobStatus job, double usd) {
    return job.maxUsd().equals(Optional.of(usd));
  }

  private static boolean isMaxRunTime(JobStatus job, Duration most) {
    return job.runTime().filter(limit -> limit.max().equals(most)).isPresent();
  }

  /** The job runs on. */
  private int raise(JobStatus before) {
    var after =
        cliContext.publish(
            document(before),
            "new limit of " + before.name(),
            () ->
                Optional.of(cliContext.api().job(before.cluster(), before.uid()))
                    .filter(this::hasLimits));
    var screen = humanScreen();
    maxUsd.ifPresent(usd ->
        screen.line(
            "job %s may cost %s in all"
                .formatted(after.name(), HumanFormat.usd(usd.doubleValue()))));
    maxRunTime.ifPresent(most ->
        screen.line(
            "job %s may take %s from the start of its first task"
                .formatted(after.name(), HumanDuration.exact(most))));
    return shown(before, after, screen);
  }

  private int retryTasks(TaskSelection selection) {
    if (changesLimits())
      throw CommandException.input(
          (maxUsd.isPresent() ? "--max-usd" : "--max-run-time")
              + " is for a whole job; retry the job with it, or its tasks without");
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
