package dev.mayfly.cli.schedule;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.output.StatusPage;
import picocli.CommandLine.Command;

/** {@code mayfly schedule}: lists schedules. */
@Command(
    name = "schedule",
    description = {
      "Lists the jobs that are submitted again and again, with what became of their last time.",
      "A job's file says when (schedule: {every: 6h}), and mayfly submit stores that."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly schedule",
      "  mayfly schedule pause nightly",
      "  mayfly schedule run nightly"
    })
public final class ScheduleCommand extends ClusterCommand {
  public ScheduleCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var schedules = cliContext.api().cluster(cluster.name()).schedules();
    showTable(
        schedules,
        () -> StatusPage.schedules(schedules, cliContext.now()),
        "no schedules; write schedule: {every: 6h} into a job's file and submit it: mayfly submit JOB.yaml");
    return 0;
  }
}
