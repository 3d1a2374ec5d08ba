package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommandGroup;
import picocli.CommandLine.Command;

/** {@code mayfly worker join|remove}: static workers. */
@Command(
    name = "worker",
    description = "Manages your own machines as workers of a pool with provisioning: static.",
    footer = {
      "",
      "Examples:",
      "  mayfly worker join --pool lab",
      "  mayfly worker remove desk-1",
      "  mayfly workers"
    })
public final class WorkerCommand extends CommandGroup {
  public WorkerCommand(CliContext cliContext) {
    super(cliContext, "join or remove; mayfly workers lists the workers");
  }
}
