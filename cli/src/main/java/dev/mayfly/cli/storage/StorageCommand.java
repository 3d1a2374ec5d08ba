package dev.mayfly.cli.storage;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommandGroup;
import picocli.CommandLine.Command;

/** {@code mayfly storage ls|cp}: the file systems that a cluster defines by name. */
@Command(
    name = "storage",
    description = "Lists a cluster's storage, and copies files to and from it.",
    footer = {
      "",
      "Examples:",
      "  mayfly storage ls",
      "  mayfly storage cp datasets/set1 data:datasets/",
      "  mayfly storage cp data:results/last ."
    })
public final class StorageCommand extends CommandGroup {
  public StorageCommand(CliContext cliContext) {
    super(cliContext, "ls or cp");
  }
}
