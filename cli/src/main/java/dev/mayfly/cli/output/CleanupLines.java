package dev.mayfly.cli.output;

import dev.mayfly.core.reconcile.cleanup.CleanupPlan;

/** Formats a cleanup plan as a table. */
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
