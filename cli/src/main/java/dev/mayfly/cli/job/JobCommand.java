package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.core.query.JobStatus;
import picocli.CommandLine.Parameters;

/** A command about one job. */
abstract class JobCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "Its name, OWNER/NAME or uid; a name means the newest job that has it.")
  String job = "";

  JobCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** The job that the user named. */
  final JobStatus namedJob() {
    return cliContext.api().job(cluster.ofJob(job), job);
  }
}
