package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.show.JobLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly jobs}: the newest jobs. */
@Command(
    name = "jobs",
    description = "Lists the newest jobs of a cluster.",
    footer = {"", "Example:", "  mayfly jobs -n 5"})
final class JobsCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many (50).")
  int limit = 50;

  JobsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (limit < 1) throw new Refusal(Exit.INPUT, "-n is " + limit + "; write 1 or more");
    var jobs = session.api().jobs(cluster.of(session), limit);
    var screen = session.screen();
    if (common.json()) common.json(screen, jobs);
    else if (jobs.isEmpty()) screen.note("no job yet; submit one with: mayfly submit JOB.yaml");
    else screen.lines(JobLines.table(jobs, session.now()).lines(screen));
    return 0;
  }
}
