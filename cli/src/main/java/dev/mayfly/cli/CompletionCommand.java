package dev.mayfly.cli;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly completion}: prints the shell completion script. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash, zsh or fish.",
    footer = {
      "",
      "Examples:",
      "  source <(mayfly completion bash)",
      "  source <(mayfly completion zsh)",
      "  mayfly completion fish | source"
    })
final class CompletionCommand extends CliCommand {
  /** A shell with completion. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "${COMPLETION-CANDIDATES} (bash).")
  Shell shell = Shell.bash;

  CompletionCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var all = Commands.all(cliContext);
    // The script for bash switches zsh to bash's completion.
    cliContext
        .screen()
        .line(
            shell == Shell.fish
                ? FishCompletion.script("mayfly", all.getCommandSpec())
                : AutoComplete.bash("mayfly", all));
    return 0;
  }
}
