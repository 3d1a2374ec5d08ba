package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobCosts;
import dev.mayfly.cli.client.JobEnds;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.context.LimitOption;
import dev.mayfly.cli.output.CostPage;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.core.query.JobStatus;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly jobs}: lists the newest jobs. */
@Command(
    name = "jobs",
    description = {
      "Lists the newest jobs of a cluster.",
      "With -o wide, and where several have one name, with their uids, which commands take too."
    },
    footer = {"", "Example:", "  mayfly jobs -n 5"})
public final class JobsCommand extends ClusterCommand {
  @Mixin LimitOption limit = new LimitOption();

  public JobsCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var most = limit.checked();
    var jobs = cliContext.api().jobs(cluster.name(), most);
    showTable(
        jobs,
        () -> JobLines.table(jobs, costs(jobs), ends(jobs), isWide(), cliContext.now()),
        "no jobs yet; submit one with: mayfly submit JOB.yaml");
    JobLines.namesakes(jobs).stream()
        .findFirst()
        .ifPresent(older ->
            cliContext
                .screen()
                .note(
                    "a name means its newest job; commands take an older one by its UID: mayfly explain "
                        + older.uid()));
    return 0;
  }

  private Map<String, String> ends(List<JobStatus> jobs) {
    return JobEnds.read(cliContext.api(), jobs, cliContext.now());
  }

  private Map<String, String> costs(List<JobStatus> jobs) {
    return CostPage.ofJobs(jobs, JobCosts.read(cliContext.api(), cluster.name(), jobs));
  }
}
