package dev.mayfly.cli;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
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
    offerFormats(all);
    // The script for bash switches zsh to bash's completion.
    cliContext
        .screen()
        .line(
            shell == Shell.fish
                ? FishCompletion.script("mayfly", all.getCommandSpec())
                : AutoComplete.bash("mayfly", all));
    return 0;
  }

  /** Each command is offered the formats that it writes. */
  private static void offerFormats(CommandLine line) {
    var spec = line.getCommandSpec();
    if (spec.userObject() instanceof ResultCommand command) {
      var format = spec.findOption("-o");
      spec.remove(format);
      spec.addOption(OptionSpec.builder(format).completionCandidates(command.formats()).build());
    }
    line.getSubcommands().values().forEach(CompletionCommand::offerFormats);
  }
}
