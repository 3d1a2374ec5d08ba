package dev.mayfly.cli.context;

import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command. {@link #call} runs it and returns its exit code. */
public abstract class CliCommand implements Callable<Integer> {
  protected final CliContext cliContext;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  boolean help;

  protected CliCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }
}
