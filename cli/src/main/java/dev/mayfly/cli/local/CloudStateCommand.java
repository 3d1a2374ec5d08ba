package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly local state}: shows the state of the laptop cloud. */
@Command(
    name = "state",
    description = "Shows the machines and dials of the laptop cloud, as JSON.",
    footer = {"", "Example:", "  mayfly local state"})
public final class CloudStateCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin HelpOption help = new HelpOption();

  public CloudStateCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    cliContext.screen().line(cliContext.faultControls().state());
    return 0;
  }
}
