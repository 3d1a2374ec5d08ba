package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import picocli.CommandLine.Command;

/** {@code mayfly local state}: shows the state of the laptop cloud. */
@Command(
    name = "state",
    description = "Shows the machines and fault controls of the laptop cloud, as JSON.",
    footer = {"", "Example:", "  mayfly local state"})
public final class CloudStateCommand extends CliCommand {
  public CloudStateCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    cliContext.screen().line(cliContext.faultControls().state());
    return 0;
  }
}
