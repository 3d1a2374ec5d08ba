package dev.mayfly.cli;

import picocli.CommandLine.Option;

/** For commands that have no result to format. */
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  boolean help;
}
