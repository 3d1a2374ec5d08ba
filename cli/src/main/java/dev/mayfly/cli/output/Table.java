package dev.mayfly.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Rows under titles, two spaces between columns. If the table is too wide, the widest column is cut
 * and marked with an ellipsis. Names are cut last, first in their common prefix, so that rows stay
 * distinguishable. A remark that would be cut is printed below its row.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int MIN_WIDTH = 6;

  /** The minimum width of a name, to keep names distinguishable. */
  private static final int MIN_NAME_WIDTH = 12;

  /** A remark narrower than this is printed below its row. */
  private static final int MIN_REMARK_WIDTH = 40;

  private static final String INDENT = "    ";

  private final List<String> titles;
  private final Set<Integer> right = new HashSet<>();
  private final Set<Integer> names = new HashSet<>();
  private boolean remarks;
  private final List<List<TableCell>> rows = new ArrayList<>();

  public Table(String... titles) {
    this.titles = List.of(titles);
  }

  /** Right-aligns these columns. */
  public Table right(int... columns) {
    Arrays.stream(columns).forEach(right::add);
    return this;
  }

  /** Marks these columns as names, which differ at their ends. */
  public Table names(int... columns) {
    Arrays.stream(columns).forEach(names::add);
    return this;
  }

  /** Marks the last column as a remark of any length. */
  public Table remarks() {
    remarks = true;
    return this;
  }

  public Table row(TableCell... tableCells) {
    if (tableCells.length != titles.size())
      throw new IllegalArgumentException(tableCells.length + " cells for the columns " + titles);
    rows.add(List.of(tableCells));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, titles first. */
  public List<String> lines(Screen screen) {
    var widths = widths(screen.width(), titles.size());
    var below = remarks && isCut(widths, titles.size() - 1);
    if (below) widths = widths(screen.width(), titles.size() - 1);
    var lines = new ArrayList<String>();
    lines.add(
        line(titles.stream().map(t -> new TableCell(t, Style.FAINT)).toList(), widths, screen));
    for (var row : rows) {
      lines.add(line(row, widths, screen));
      if (below && !row.getLast().text().isEmpty()) lines.add(remark(row.getLast(), screen));
    }
    return lines;
  }

  private boolean isCut(int[] widths, int column) {
    return widths[column] < MIN_REMARK_WIDTH
        && rows.stream().anyMatch(row -> length(row.get(column).text()) > widths[column]);
  }

  private static String remark(TableCell tableCell, Screen screen) {
    return INDENT
        + screen.paint(tableCell.tone(), cut(tableCell.text(), screen.width() - INDENT.length()));
  }

  /** The widths of the first {@code columns} columns. */
  private int[] widths(int most, int columns) {
    var widths = titles.stream().limit(columns).mapToInt(String::length).toArray();
    for (var row : rows)
      for (var i = 0; i < widths.length; i++)
        widths[i] = Math.max(widths[i], length(row.get(i).text()));
    while (Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) > most) {
      var widest = widest(widths, false, i -> Math.max(MIN_WIDTH, length(titles.get(i))));
      if (widest < 0) widest = widest(widths, true, i -> MIN_NAME_WIDTH);
      if (widest < 0) widest = widest(widths, false, i -> MIN_WIDTH);
      if (widest < 0) widest = widest(widths, true, i -> MIN_WIDTH);
      if (widest < 0) break;
      widths[widest]--;
    }
    return widths;
  }

  /** The widest column that can be cut; -1 if there is none. */
  private int widest(int[] widths, boolean named, IntUnaryOperator least) {
    var widest = -1;
    for (var i = 0; i < widths.length; i++)
      if (names.contains(i) == named
          && widths[i] > least.applyAsInt(i)
          && (widest < 0 || widths[i] >= widths[widest])) widest = i;
    return widest;
  }

  private String line(List<TableCell> tableCells, int[] widths, Screen screen) {
    var line = new StringBuilder();
    for (var i = 0; i < widths.length; i++) {
      var whole = tableCells.get(i).text();
      var text = names.contains(i) ? shortened(whole, widths[i], prefix(i)) : cut(whole, widths[i]);
      var pad = " ".repeat(widths[i] - length(text));
      var painted = screen.paint(tableCells.get(i).tone(), text);
      line.append(i == 0 ? "" : GAP);
      line.append(right.contains(i) ? pad + painted : painted + pad);
    }
    return line.toString().stripTrailing();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String cut(String text, int width) {
    if (length(text) <= width) return text;
    return text.substring(0, text.offsetByCodePoints(0, Math.max(0, width - 1))) + "…";
  }

  /** The length of the common prefix of the column's names. */
  private int prefix(int column) {
    if (rows.size() < 2) return 0;
    var first = rows.getFirst().get(column).text();
    var prefix = first.length();
    for (var row : rows) {
      var other = row.get(column).text();
      var same = 0;
      while (same < prefix && same < other.length() && other.charAt(same) == first.charAt(same))
        same++;
      prefix = same;
    }
    return prefix;
  }

  /** Cuts the common prefix first, and then the middle. */
  private static String shortened(String name, int width, int prefix) {
    var over = length(name) - width;
    if (over <= 0) return name;
    if (over < prefix) return "…" + name.substring(over + 1);
    var rest = name.substring(Math.max(0, prefix - 1));
    if (rest.length() < name.length() && length(rest) <= width) return "…" + rest.substring(1);
    var tail = width - 1 - width / 3;
    return name.substring(0, width / 3) + "…" + name.substring(name.length() - tail);
  }
}
