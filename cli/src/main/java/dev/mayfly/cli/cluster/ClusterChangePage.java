package dev.mayfly.cli.cluster;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A change that is not made, for people. */
final class ClusterChangePage {
  private static final String INDENT = "  ";

  private ClusterChangePage() {}

  static List<String> lines(ClusterChange change, Screen screen) {
    var lines = new ArrayList<String>();
    lines.add(title(change));
    if (change.changes().isEmpty()) return lines;
    var inner = screen.withWidth(screen.width() - INDENT.length());
    fields(change).lines(inner).forEach(line -> lines.add(INDENT + line));
    if (change.created()) return lines;
    lines.add("");
    if (change.replaced().isEmpty()) {
      lines.add(INDENT + "no running worker would be replaced");
      return lines;
    }
    lines.add(
        INDENT
            + HumanFormat.count(change.replaced().size(), "running worker")
            + " would be replaced:");
    var table = new Table("WORKER", "POOL", "FOR A CHANGE OF").names(0, 1).prose();
    for (var worker : change.replaced())
      table.row(
          TableCell.of(worker.worker()), TableCell.of(worker.pool()), TableCell.of(worker.why()));
    table.lines(inner).forEach(line -> lines.add(INDENT + line));
    return lines;
  }

  private static String title(ClusterChange change) {
    var name = "cluster " + change.cluster() + " ";
    if (change.created()) return name + "would be created (a dry run: nothing is published)";
    if (change.changes().isEmpty())
      return name + "would not change (generation " + change.generation() + ")";
    return name
        + "would change to generation "
        + (change.generation() + 1)
        + change.formerly().map(was -> ", formerly " + was).orElse("")
        + " (a dry run: nothing is published)";
  }

  private static Table fields(ClusterChange change) {
    var table =
        change.created()
            ? new Table("FIELD", "VALUE").names(0)
            : new Table("FIELD", "IS", "WOULD BE").names(0);
    for (var field : change.changes())
      if (change.created()) table.row(TableCell.of(field.field()), value(field.now(), Style.GOOD));
      else
        table.row(
            TableCell.of(field.field()),
            value(field.was(), Style.BAD),
            value(field.now(), Style.GOOD));
    return table;
  }

  private static TableCell value(Optional<String> value, Style style) {
    return value.map(text -> new TableCell(text, style)).orElse(new TableCell("-", Style.FAINT));
  }
}
