package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class WorkerCommand implements Runnable {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec;

  public WorkerCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing subcommand: join or remove; mayfly workers lists the workers");
  }
}
