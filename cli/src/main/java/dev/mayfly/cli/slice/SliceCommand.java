package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommandGroup;
import picocli.CommandLine.Command;

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
public final class SliceCommand extends CommandGroup {
  public SliceCommand(CliContext cliContext) {
    super(cliContext, "create, delete, reshape or list");
  }
}
