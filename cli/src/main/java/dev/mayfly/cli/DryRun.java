package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.flow.Submitting;
import dev.mayfly.cli.flow.TaskPlan;
import dev.mayfly.cli.show.Cell;
import dev.mayfly.cli.show.Table;
import dev.mayfly.cli.show.Words;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.model.JobSpec;
import java.util.List;

/** Shows what jobs would do, and publishes nothing. */
record DryRun(Session session, Common common) {
  /** The exit code: a job without tasks would be refused. */
  int show(List<Submission> jobs) {
    var objects = session.objects();
    var plans =
        jobs.stream().map(j -> TaskPlan.of(submitted(j), j.cluster().spec(), objects)).toList();
    if (common.json()) common.json(session.screen(), plans);
    else plans.forEach(this::lines);
    var empty = plans.stream().filter(p -> p.tasks() == 0).findFirst();
    empty.ifPresent(p ->
        session
            .screen()
            .note(
                "job "
                    + p.job()
                    + ": no object matches its inputs; list the folder, and mind that * stays within one"));
    return empty.isPresent() ? Exit.INPUT.code() : 0;
  }

  private JobSpec submitted(Submission job) {
    return Template.submitted(Submitting.spec(job.document()), session.now());
  }

  private void lines(TaskPlan plan) {
    var screen = session.screen();
    screen.line(
        "job %s on cluster %s (a dry run: nothing is published)"
            .formatted(plan.job(), plan.cluster()));
    screen.line(
        "  %s, %s done already, %s to run"
            .formatted(
                Words.count(plan.tasks(), "task"),
                Words.count(plan.done()),
                Words.count(plan.tasks() - plan.done())));
    if (!plan.leftOut().isEmpty())
      screen.line(
          "  %s left out because of their names, first %s; rename them"
              .formatted(Words.count(plan.leftOut().size(), "input"), plan.leftOut().getFirst()));
    screen.line(
        "  %s of %s at first"
            .formatted(Words.count(plan.shards(), "shard"), Words.count(plan.shard(), "task")));
    var table = new Table("POOL", "MACHINE", "TASKS ON EACH", "WORKERS AT MOST").right(2, 3);
    for (var s : plan.slots())
      table.row(Cell.of(s.pool()), Cell.of(s.machineType()), each(s.each()), Cell.of(s.workers()));
    table.lines(screen).forEach(line -> screen.line("  " + line));
  }

  /** A task that asks for nothing fits without end. */
  private static Cell each(long tasks) {
    return tasks == Long.MAX_VALUE ? Cell.of("no limit") : Cell.of(tasks);
  }
}
