package dev.mayfly.cli;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.HelpOption;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly completion}: prints the shell completion script. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    footer = {"", "Example:", "  source <(mayfly completion)"})
final class CompletionCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin HelpOption help = new HelpOption();

  CompletionCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    cliContext.screen().line(AutoComplete.bash("mayfly", Commands.all(cliContext)));
    return 0;
  }
}
