package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.output.CleanupLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly cleanup}: lists what cleanup would delete. */
@Command(
    name = "cleanup",
    description = {
      "Lists what cleanup would delete now, and why; deletes nothing.",
      "Cleanup runs by itself each minute, and hourly while ticks are paused."
    },
    footer = {"", "Example:", "  mayfly cleanup"})
public final class CleanupCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();

  @Option(names = "--dry-run", description = "No effect: this command never deletes.")
  boolean dryRun;

  public CleanupCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var view = cliContext.api().cleanup();
    var screen = cliContext.screen();
    if (commonOptions.json()) {
      commonOptions.json(screen, view);
      return 0;
    }
    if (view.deletions().isEmpty()) screen.note("cleanup would delete nothing");
    else screen.lines(CleanupLines.table(view).lines(screen));
    view.untouched().forEach(screen::note);
    return 0;
  }
}
