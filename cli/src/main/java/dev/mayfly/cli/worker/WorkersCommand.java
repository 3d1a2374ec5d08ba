package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.output.WorkerLines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly workers}: lists workers. */
@Command(
    name = "workers",
    description =
        "Lists the workers of a cluster: state, heartbeat, tasks, of GPUs how busy and full they are, price an hour and cost so far.",
    footer = {"", "Examples:", "  mayfly workers", "  mayfly workers --all"})
public final class WorkersCommand extends ClusterCommand {
  @Option(
      names = {"-a", "--all"},
      description = "Includes gone workers.")
  boolean all;

  public WorkersCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var workers = cliContext.api().workers(cluster.name(), all);
    showTable(
        workers,
        () -> WorkerLines.table(workers, cliContext.now()),
        "no workers: machines are created when there is work");
    return 0;
  }
}
