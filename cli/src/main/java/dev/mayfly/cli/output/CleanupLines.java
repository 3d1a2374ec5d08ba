package dev.mayfly.cli.output;

import dev.mayfly.core.reconcile.cleanup.CleanupPlan;

/** What cleanup would delete, as lines. */
public final class CleanupLines {
  private CleanupLines() {}

  public static Table table(CleanupPlan view) {
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
