package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mayfly slice create|delete|reshape|list}: TPUs that are made and kept by hand. */
@Command(
    name = "slice",
    description = "TPUs that are made by hand, reserved ones mostly, and kept until deleted.",
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
        spec.commandLine(), "what about slices? write create, delete, reshape or list");
  }
}
