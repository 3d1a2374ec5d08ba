package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import picocli.CommandLine.Command;

/** {@code mayfly drain}: drains a worker. */
@Command(
    name = "drain",
    description = "Gives a worker no more work; its running tasks end and its machine is deleted.",
    footer = {"", "Example:", "  mayfly drain cpu-7f3a"})
public final class DrainCommand extends DrainingCommand {
  public DrainCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    show(drain(cluster.ofWorker(worker), "drain"));
    return 0;
  }
}
