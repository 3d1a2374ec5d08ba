package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.query.estimate.StoppingLimits;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The plans of jobs that are not published.
 *
 * @param refused why the other jobs would be refused
 */
record DryRun(List<DryRunPlan> plans, List<InputError> refused) {
  /**
   * @param each what a task takes, if it is said
   */
  static DryRun of(List<CheckedJob> jobs, Optional<Duration> each, CliContext cliContext) {
    var forecasts = new DryRunForecast(each, cliContext);
    var admission = new DryRunAdmission(cliContext);
    var plans = new ArrayList<DryRunPlan>();
    var refused = new ArrayList<InputError>();
    for (var job : jobs)
      try {
        var spec = TaskTemplate.fillSubmission(JobSubmitter.spec(job.document()), cliContext.now());
        var whole = job.items().map(items -> items.in(spec)).orElse(spec);
        var admitted = admission.admit(job, whole);
        var plan = DryRunPlan.of(admitted, job.cluster().spec(), cliContext.objects());
        var forecast = forecasts.of(admitted.spec(), plan.left(), job.cluster().spec());
        plans.add(plan.with(forecast, StoppingLimits.of(admitted.spec(), job.cluster().spec())));
      } catch (InvalidInputException no) {
        refused.addAll(no.problems());
      }
    return new DryRun(plans, refused);
  }

  void print(Screen screen) {
    plans.forEach(plan -> print(plan, screen));
  }

  private static void print(DryRunPlan plan, Screen screen) {
    screen.line(
        "job %s on cluster %s (a dry run: nothing is published)"
            .formatted(plan.job(), plan.cluster()));
    if (plan.tasks() > 0 || !plan.listedThen())
      screen.line(
          "  %s, %s done before, %s to run"
              .formatted(
                  HumanFormat.count(plan.tasks(), "task"),
                  HumanFormat.count(plan.done()),
                  HumanFormat.count(plan.left())));
    if (!plan.after().isEmpty())
      screen.line(
          "  it starts after %s%s"
              .formatted(
                  String.join(", ", plan.after()),
                  plan.listedThen() && plan.gathered().isEmpty()
                      ? ", and its tasks are known then"
                      : ""));
    plan.gathered()
        .ifPresent(words -> screen.line("  its task reads %s, as one folder".formatted(words)));
    plan.passed().forEach(limit -> screen.line("  " + screen.paint(Style.WARN, limit)));
    plan.kept().forEach(limit -> screen.line("  " + limit));
    plan.leftOut()
        .ifPresent(out ->
            screen.line(
                "  %s left out because of their names, first %s; rename them"
                    .formatted(HumanFormat.count(out.count(), "input"), out.first())));
    var table = new Table("POOL", "MACHINE", "TASKS ON EACH", "WORKERS AT MOST").right(2, 3);
    for (var s : plan.slots())
      table.row(
          TableCell.of(s.pool()),
          TableCell.of(s.machineType()),
          tasksOnEach(s.each()),
          TableCell.of(s.workers()));
    if (plan.left() > 0)
      screen.line(
          "  %s %s"
              .formatted(
                  plan.forecast().run().isPresent() ? "its tasks take" : "time and cost are",
                  plan.forecast().text()));
    table.lines(screen).forEach(line -> screen.line("  " + line));
  }

  /** A task without requests fits any number of times. */
  private static TableCell tasksOnEach(long tasks) {
    return tasks == Long.MAX_VALUE ? TableCell.of("no limit") : TableCell.of(tasks);
  }
}
