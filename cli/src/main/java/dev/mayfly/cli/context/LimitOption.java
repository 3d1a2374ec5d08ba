package dev.mayfly.cli.context;

import dev.mayfly.cli.error.CommandException;
import picocli.CommandLine.Option;

/** How much a command lists at most. */
public final class LimitOption {
  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of ${COMMAND-NAME} (50).")
  int limit = 50;

  /** The limit, which is at least 1. */
  public int checked() {
    if (limit < 1) throw CommandException.input("-n is " + limit + "; write 1 or more");
    return limit;
  }
}
