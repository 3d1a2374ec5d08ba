package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly cleanup}: lists what cleanup would delete. */
@Command(
    name = "cleanup",
    description = {
      "Lists what cleanup would delete now, and why; deletes nothing.",
      "Cleanup runs by itself each minute, and hourly while ticks are paused."
    },
    footer = {"", "Example:", "  mayfly cleanup"})
public final class CleanupCommand extends ResultCommand {
  @Option(names = "--dry-run", description = "Same as without it: lists, and deletes nothing.")
  boolean dryRun;

  public CleanupCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var view = cliContext.api().cleanup();
    show(view, () -> print(view));
    return 0;
  }

  private void print(CleanupPlan view) {
    var screen = cliContext.screen();
    if (view.deletions().isEmpty()) screen.note("cleanup would delete nothing");
    else screen.lines(table(view).lines(screen));
    view.untouched().forEach(screen::note);
  }

  private static Table table(CleanupPlan view) {
    var table = new Table("WHAT", "NAME", "WHERE", "WHY");
    for (var deletion : view.deletions())
      table.row(
          TableCell.of(deletion.kind()),
          TableCell.of(deletion.name()),
          TableCell.of(deletion.place()),
          TableCell.of(deletion.why()));
    return table;
  }
}
