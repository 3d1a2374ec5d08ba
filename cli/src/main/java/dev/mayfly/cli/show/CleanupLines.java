package dev.mayfly.cli.show;

import dev.mayfly.core.control.CleanupView;

/** What cleanup would delete, as lines. */
public final class CleanupLines {
  private CleanupLines() {}

  public static Table table(CleanupView view) {
    var table = new Table("WHAT", "NAME", "WHERE", "WHY");
    for (var deletion : view.deletions())
      table.row(
          Cell.of(deletion.kind()),
          Cell.of(deletion.name()),
          Cell.of(deletion.place()),
          Cell.of(deletion.why()));
    return table;
  }
}
