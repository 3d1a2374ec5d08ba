package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.JobLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly jobs}: lists the newest jobs. */
@Command(
    name = "jobs",
    description = "Lists the newest jobs of a cluster.",
    footer = {"", "Example:", "  mayfly jobs -n 5"})
public final class JobsCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of jobs (50).")
  int limit = 50;

  public JobsCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    if (limit < 1)
      throw new CommandException(CommandExitCode.INPUT, "-n is " + limit + "; write 1 or more");
    var jobs = cliContext.api().jobs(cluster.of(cliContext), limit);
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, jobs);
    else if (jobs.isEmpty()) screen.note("no jobs yet; submit one with: mayfly submit JOB.yaml");
    else screen.lines(JobLines.table(jobs, cliContext.now()).lines(screen));
    return 0;
  }
}
