package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.List;

/** The plans of jobs that are not published. */
record DryRun(List<DryRunPlan> plans) {
  static DryRun of(List<CheckedJob> jobs, CliContext cliContext) {
    var objectStore = cliContext.objects();
    var now = cliContext.now();
    return new DryRun(
        jobs.stream()
            .map(j -> DryRunPlan.of(submitted(j, now), j.cluster().spec(), objectStore))
            .toList());
  }

  private static JobSpec submitted(CheckedJob job, Instant now) {
    return TaskTemplate.fillSubmission(JobSubmitter.spec(job.document()), now);
  }

  /** The exit code. A job without tasks would be rejected, which is noted. */
  int exitCode(Screen screen) {
    var empty = plans.stream().filter(p -> p.tasks() == 0 && p.after().isEmpty()).findFirst();
    empty.ifPresent(p ->
        screen.note(
            "job "
                + p.job()
                + ": no object matches its inputs; list the folder, and note that * matches"
                + " within one folder only, and [...] one of the characters in it"));
    return empty.isPresent() ? CommandExitCode.INPUT.code() : 0;
  }

  void print(Screen screen) {
    plans.forEach(plan -> print(plan, screen));
  }

  private static void print(DryRunPlan plan, Screen screen) {
    screen.line(
        "job %s on cluster %s (a dry run: nothing is published)"
            .formatted(plan.job(), plan.cluster()));
    screen.line(
        "  %s, %s done before, %s to run"
            .formatted(
                HumanFormat.count(plan.tasks(), "task"),
                HumanFormat.count(plan.done()),
                HumanFormat.count(plan.tasks() - plan.done())));
    if (!plan.after().isEmpty())
      screen.line(
          "  it starts after %s, and its inputs are listed then"
              .formatted(String.join(", ", plan.after())));
    if (!plan.leftOut().isEmpty())
      screen.line(
          "  %s left out because of their names, first %s; rename them"
              .formatted(
                  HumanFormat.count(plan.leftOut().size(), "input"), plan.leftOut().getFirst()));
    var table = new Table("POOL", "MACHINE", "TASKS ON EACH", "WORKERS AT MOST").right(2, 3);
    for (var s : plan.slots())
      table.row(
          TableCell.of(s.pool()),
          TableCell.of(s.machineType()),
          tasksOnEach(s.each()),
          TableCell.of(s.workers()));
    table.lines(screen).forEach(line -> screen.line("  " + line));
  }

  /** A task without requests fits any number of times. */
  private static TableCell tasksOnEach(long tasks) {
    return tasks == Long.MAX_VALUE ? TableCell.of("no limit") : TableCell.of(tasks);
  }
}
