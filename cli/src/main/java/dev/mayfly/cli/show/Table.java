package dev.mayfly.cli.show;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rows under titles, two spaces between columns. Where they do not fit, the widest column is cut,
 * and says so with an ellipsis.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int LEAST = 6;

  private final List<String> titles;
  private final Set<Integer> right = new HashSet<>();
  private final List<List<Cell>> rows = new ArrayList<>();

  public Table(String... titles) {
    this.titles = List.of(titles);
  }

  /** These columns are numbers. */
  public Table right(int... columns) {
    Arrays.stream(columns).forEach(right::add);
    return this;
  }

  public Table row(Cell... cells) {
    if (cells.length != titles.size())
      throw new IllegalArgumentException(cells.length + " cells for the columns " + titles);
    rows.add(List.of(cells));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, titles first. */
  public List<String> lines(Screen screen) {
    var widths = widths(screen.width());
    var lines = new ArrayList<String>();
    lines.add(line(titles.stream().map(t -> new Cell(t, Tone.FAINT)).toList(), widths, screen));
    for (var row : rows) lines.add(line(row, widths, screen));
    return lines;
  }

  private int[] widths(int most) {
    var widths = titles.stream().mapToInt(String::length).toArray();
    for (var row : rows)
      for (var i = 0; i < widths.length; i++)
        widths[i] = Math.max(widths[i], length(row.get(i).text()));
    while (Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) > most) {
      var widest = 0;
      for (var i = 1; i < widths.length; i++) if (widths[i] >= widths[widest]) widest = i;
      if (widths[widest] <= LEAST) break;
      widths[widest]--;
    }
    return widths;
  }

  private String line(List<Cell> cells, int[] widths, Screen screen) {
    var line = new StringBuilder();
    for (var i = 0; i < cells.size(); i++) {
      var text = cut(cells.get(i).text(), widths[i]);
      var pad = " ".repeat(widths[i] - length(text));
      var painted = screen.paint(cells.get(i).tone(), text);
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
}
