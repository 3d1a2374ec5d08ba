package dev.mayfly.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly completion}: for shells. */
@Command(
    name = "completion",
    description = "Prints what makes bash and zsh complete mayfly's commands and options.",
    footer = {"", "Example:", "  source <(mayfly completion)"})
final class CompletionCommand implements Callable<Integer> {
  private final Session session;
  @Mixin HelpOption help = new HelpOption();

  CompletionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.screen().line(AutoComplete.bash("mayfly", Verbs.all(session)));
    return 0;
  }
}
