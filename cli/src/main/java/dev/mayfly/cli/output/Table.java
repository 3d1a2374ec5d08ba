package dev.mayfly.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Rows under titles, two spaces between columns, a line each. Where it is too wide, its columns say
 * what is left out and what is cut, which an ellipsis marks. Output that is no terminal has room
 * for all.
 */
public final class Table {
  private final List<Column> columns;
  private final List<List<TableCell>> rows = new ArrayList<>();

  /** Of columns that all stay. */
  public Table(String... titles) {
    this(Arrays.stream(titles).map(Column::text).toList());
  }

  public Table(List<Column> columns) {
    this.columns = new ArrayList<>(columns);
  }

  /** Right-aligns these columns. */
  public Table right(int... some) {
    for (var i : some) columns.set(i, columns.get(i).aligned(true));
    return this;
  }

  /** Marks these columns as names, which differ at their ends. */
  public Table names(int... some) {
    for (var i : some) columns.set(i, Column.name(columns.get(i).title()));
    return this;
  }

  /** Marks the last column as prose of any length. */
  public Table prose() {
    columns.set(columns.size() - 1, Column.prose(columns.getLast().title()));
    return this;
  }

  public Table row(TableCell... tableCells) {
    return row(List.of(tableCells));
  }

  public Table row(List<TableCell> tableCells) {
    if (tableCells.size() != columns.size())
      throw new IllegalArgumentException(tableCells.size() + " cells for the columns " + columns);
    rows.add(List.copyOf(tableCells));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, titles first. */
  public List<String> lines(Screen screen) {
    var layout = TableLayout.of(columns, rows, screen.width());
    var titles = columns.stream().map(c -> new TableCell(c.title(), Style.FAINT)).toList();
    var lines = new ArrayList<>(lines(titles, layout, screen));
    for (var row : rows) lines.addAll(lines(row, layout, screen));
    return lines;
  }

  /** What is missing on this screen, and how to see it; empty if nothing is. */
  public Optional<String> missing(Screen screen) {
    var layout = TableLayout.of(columns, rows, screen.width());
    var without = layout.leftOut();
    if (without.isEmpty() && !layout.isCut()) return Optional.empty();
    return Optional.of(
        "cut to %d columns%s; all of it: -o wide"
            .formatted(
                screen.width(),
                without.isEmpty() ? "" : ", without " + String.join(", ", without)));
  }

  /** One line, or more if its prose is continued. */
  private List<String> lines(List<TableCell> row, TableLayout layout, Screen screen) {
    if (columns.getLast().kind() != Column.Kind.PROSE) return List.of(line(row, layout, screen));
    var lines = new ArrayList<String>();
    var prose = row.getLast();
    for (var part : WrappedText.lines(prose.text(), layout.width(columns.size() - 1))) {
      var cells = new ArrayList<>(lines.isEmpty() ? row : blank());
      cells.set(cells.size() - 1, new TableCell(part, prose.tone()));
      lines.add(line(cells, layout, screen));
    }
    return lines;
  }

  private List<TableCell> blank() {
    return Collections.nCopies(columns.size(), TableCell.of(""));
  }

  private String line(List<TableCell> row, TableLayout layout, Screen screen) {
    return layout.shown().stream()
        .map(i -> field(row.get(i), i, layout, screen))
        .collect(Collectors.joining(TableLayout.GAP))
        .stripTrailing();
  }

  private String field(TableCell cell, int column, TableLayout layout, Screen screen) {
    var text = fitted(cell.text(), column, layout.width(column));
    var pad = " ".repeat(Math.max(0, layout.width(column) - DisplayWidth.of(text)));
    var painted = screen.paint(cell.tone(), text);
    return columns.get(column).right() ? pad + painted : painted + pad;
  }

  private String fitted(String text, int column, int width) {
    return switch (columns.get(column).kind()) {
      case WORD, TEXT -> DisplayWidth.cut(text, width);
      case NAME -> shortened(text, width, prefix(column));
      case REMARK -> DisplayWidth.cutBetweenWords(text, width);
      case PROSE -> text;
    };
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
    if (DisplayWidth.of(name) <= width) return name;
    var end = DisplayWidth.ending(name, width - 1);
    if (name.length() - end.length() <= prefix) return "…" + end;
    var begin = DisplayWidth.beginning(name, width / 3);
    return begin + "…" + DisplayWidth.ending(name, width - 1 - DisplayWidth.of(begin));
  }
}
