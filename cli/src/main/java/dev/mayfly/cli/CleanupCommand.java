package dev.mayfly.cli;

import dev.mayfly.cli.show.CleanupLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly cleanup}: what cleanup would delete, and why. */
@Command(
    name = "cleanup",
    description = {
      "Lists what cleanup would delete now, and why; deletes nothing.",
      "Cleanup itself needs no command: it runs each minute, and hourly while ticks are paused."
    },
    footer = {"", "Example:", "  mayfly cleanup"})
final class CleanupCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();

  @Option(names = "--dry-run", description = "Says the same: this command never deletes.")
  boolean dryRun;

  CleanupCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var view = session.api().cleanup();
    var screen = session.screen();
    if (common.json()) {
      common.json(screen, view);
      return 0;
    }
    if (view.deletions().isEmpty()) screen.note("there is nothing that cleanup would delete");
    else screen.lines(CleanupLines.table(view).lines(screen));
    view.untouched().forEach(screen::note);
    return 0;
  }
}
