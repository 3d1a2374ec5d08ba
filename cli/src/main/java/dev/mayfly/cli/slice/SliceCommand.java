package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mayfly slice create|delete|reshape|list}: manual slices. */
@Command(
    name = "slice",
    description = "Manages TPU slices that are kept until deleted, mostly reserved ones.",
    footer = {
      "",
      "Examples:",
      "  mayfly slice create --type v4-128 --reserved --reservation lab-v4 --name big",
      "  mayfly slice reshape big 2xv4-64",
      "  mayfly slice list",
      "  mayfly slice delete big"
    })
public final class SliceCommand implements Runnable {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec;

  public SliceCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing subcommand: create, delete, reshape or list");
  }
}
