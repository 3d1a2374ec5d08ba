package dev.mayfly.cli;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code mayfly completion}: prints the shell completion script. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    footer = {"", "Example:", "  source <(mayfly completion)"})
final class CompletionCommand extends CliCommand {
  CompletionCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    cliContext.screen().line(AutoComplete.bash("mayfly", Commands.all(cliContext)));
    return 0;
  }
}
