package dev.mayfly.cli.schedule;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.plan.schedule.ScheduleText;
import dev.mayfly.core.plan.schedule.ScheduleTimes;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import dev.mayfly.wire.ParsedDocument;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores a job that is to be submitted again and again. */
public record ScheduleSubmission(CliContext cliContext) {
  /** When the job is submitted again and again; empty for one that is submitted once. */
  public static Optional<ScheduleRule> rule(ParsedDocument job) {
    return ((UserCommand.SubmitJob) job.command()).schedule();
  }

  /**
   * Throws {@link InvalidInputException} if one of the jobs is submitted later.
   *
   * @param option that is of jobs that are submitted now
   */
  public static void checkNone(List<ParsedDocument> jobs, String option) {
    for (var job : jobs)
      if (rule(job).isPresent())
        throw new InvalidInputException(
            job.at().of("schedule"),
            "says when the job is submitted, and %s is of jobs that are submitted now; leave one of both out"
                .formatted(option));
  }

  static Optional<ScheduleStatus> find(ApiClient apiClient, String cluster, String address) {
    return apiClient.cluster(cluster).schedules().stream()
        .filter(schedule -> schedule.address().equals(address))
        .findFirst();
  }

  /** Publishes the schedule, and says when it is due and what it replaces. */
  public ScheduleStatus submit(ParsedDocument job, Screen screen) {
    var spec = JobSubmitter.spec(job);
    var before = find(cliContext.api(), spec.cluster(), spec.address());
    var stored =
        cliContext.publishRecorded(
            job,
            "schedule " + spec.name(),
            spec.cluster(),
            "schedule/" + spec.address(),
            () -> find(cliContext.api(), spec.cluster(), spec.address()));
    // One that was deleted at once is told as it was asked for.
    var now = stored.orElseGet(() -> deleted(job));
    screen.line(
        "schedule %s is stored on cluster %s: %s, %s%s"
            .formatted(
                now.name(),
                spec.cluster(),
                now.when(),
                now.next().map(at -> "next at " + at).orElse(now.state()),
                before.map(was -> replaces(was, now)).orElse("")));
    if (hasSameOutputs(spec))
      screen.line(
          "all of its jobs write the same outputs, and a task whose output is there does not run"
              + " again; for outputs of their own write {name} in tasks.output");
    return now;
  }

  private static ScheduleStatus deleted(ParsedDocument job) {
    var spec = JobSubmitter.spec(job);
    var rule = rule(job).orElseThrow();
    return new ScheduleStatus(
        spec.name(),
        spec.owner(),
        ScheduleText.of(rule),
        rule,
        "deleted",
        Optional.empty(),
        Optional.empty(),
        0);
  }

  private static String replaces(ScheduleStatus was, ScheduleStatus now) {
    return was.when().equals(now.when())
        ? "; it replaces the one before"
        : "; it replaces the one before, which was " + was.when();
  }

  private static boolean hasSameOutputs(JobSpec spec) {
    return spec.data().doneRule().equals(DoneRule.ANY)
        && spec.data()
            .output()
            .filter(to -> !to.contains("{name}") && !to.contains("{date}"))
            .isPresent();
  }

  /** What a plan says of when; empty for a job that is submitted once. */
  public static Optional<String> plan(ParsedDocument job, Instant now) {
    return rule(job)
        .map(rule ->
            "schedule %s: %s, first at %s"
                .formatted(job.name(), ScheduleText.of(rule), ScheduleTimes.after(rule, now)));
  }
}
