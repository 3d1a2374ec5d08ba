package dev.mayfly.cli.context;

import picocli.CommandLine.Option;

/** For commands that have no result to format. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  boolean help;
}
