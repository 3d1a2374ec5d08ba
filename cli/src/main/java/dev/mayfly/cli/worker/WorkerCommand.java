package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mayfly worker join|remove}: machines of one's own. */
@Command(
    name = "worker",
    description = "Machines of one's own, as workers of a pool with provisioning: static.",
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
        spec.commandLine(),
        "what about the worker? write join or remove; mayfly workers lists them");
  }
}
