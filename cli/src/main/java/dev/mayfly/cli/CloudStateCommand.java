package dev.mayfly.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly local state}: what the simulated cloud has. */
@Command(
    name = "state",
    description = "Shows the machines and dials of the laptop cloud, as JSON.",
    footer = {"", "Example:", "  mayfly local state"})
final class CloudStateCommand implements Callable<Integer> {
  private final Session session;
  @Mixin HelpOption help = new HelpOption();

  CloudStateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.screen().line(session.dials().state());
    return 0;
  }
}
