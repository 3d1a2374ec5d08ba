package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.JobLines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly jobs}: lists the newest jobs. */
@Command(
    name = "jobs",
    description = "Lists the newest jobs of a cluster.",
    footer = {"", "Example:", "  mayfly jobs -n 5"})
public final class JobsCommand extends ClusterCommand {
  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of jobs (50).")
  int limit = 50;

  public JobsCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (limit < 1) throw CommandException.input("-n is " + limit + "; write 1 or more");
    var jobs = cliContext.api().jobs(cluster.name(), limit);
    showTable(
        jobs,
        () -> JobLines.table(jobs, cliContext.now()),
        "no jobs yet; submit one with: mayfly submit JOB.yaml");
    return 0;
  }
}
