package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.text.TaskTemplate;
import java.util.List;

/** Shows the plans of jobs without publishing them. */
record DryRun(CliContext session, CommonOptions common) {
  /** Shows the plans and returns the exit code: a job without tasks would be rejected. */
  int show(List<CheckedJob> jobs) {
    var objectStore = session.objects();
    var plans =
        jobs.stream()
            .map(j -> DryRunPlan.of(submitted(j), j.cluster().spec(), objectStore))
            .toList();
    if (common.json()) common.json(session.screen(), plans);
    else plans.forEach(this::print);
    var empty = plans.stream().filter(p -> p.tasks() == 0).findFirst();
    empty.ifPresent(p ->
        session
            .screen()
            .note(
                "job "
                    + p.job()
                    + ": no object matches its inputs; list the folder, and note that * matches"
                    + " within one folder only"));
    return empty.isPresent() ? CommandExitCode.INPUT.code() : 0;
  }

  private JobSpec submitted(CheckedJob job) {
    return TaskTemplate.fillSubmission(JobSubmitter.spec(job.document()), session.now());
  }

  private void print(DryRunPlan plan) {
    var screen = session.screen();
    screen.line(
        "job %s on cluster %s (a dry run: nothing is published)"
            .formatted(plan.job(), plan.cluster()));
    screen.line(
        "  %s, %s done already, %s to run"
            .formatted(
                HumanFormat.count(plan.tasks(), "task"),
                HumanFormat.count(plan.done()),
                HumanFormat.count(plan.tasks() - plan.done())));
    if (!plan.leftOut().isEmpty())
      screen.line(
          "  %s left out because of their names, first %s; rename them"
              .formatted(
                  HumanFormat.count(plan.leftOut().size(), "input"), plan.leftOut().getFirst()));
    screen.line(
        "  %s of %s at first"
            .formatted(
                HumanFormat.count(plan.shards(), "shard"),
                HumanFormat.count(plan.shard(), "task")));
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
