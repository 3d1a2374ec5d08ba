package dev.mayfly.cli.context;

import picocli.CommandLine.Option;

/** The help option of commands without a formatted result. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  boolean help;
}
