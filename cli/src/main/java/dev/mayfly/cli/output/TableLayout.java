package dev.mayfly.cli.output;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The widths of a table's columns for some room.
 *
 * <p><b>Must:</b> every row fits, as long as each shown column keeps six columns of the terminal.
 *
 * <p><b>Goals</b>, first to last: every column at its least width, for which those leave that may,
 * by turn; names in full; then texts; then remarks. Columns that are empty in every row leave first
 * and untold; those that may leave and say the same in every row do for a remark of some length.
 */
final class TableLayout {
  static final String GAP = "  ";
  private static final int LEAST = 6;
  private static final int HIDDEN = -1;

  /** A remark narrower than this is worth more than a column that says nothing. */
  private static final int COMFORT = 60;

  private final List<Column> columns;
  private final int[] natural;
  private final int[] widths;
  private final boolean[] empty;

  private TableLayout(List<Column> columns, int[] natural) {
    this.columns = columns;
    this.natural = natural;
    widths = natural.clone();
    empty = new boolean[natural.length];
  }

  static TableLayout of(List<Column> columns, List<List<TableCell>> rows, int room) {
    var natural = new int[columns.size()];
    for (var i = 0; i < natural.length; i++) {
      var column = i;
      natural[i] =
          rows.stream()
              .mapToInt(row -> DisplayWidth.of(row.get(column).text()))
              .reduce(columns.get(i).title().length(), Math::max);
    }
    var layout = new TableLayout(columns, natural);
    layout.leaveOut(rows, room);
    layout.shrink(room);
    return layout;
  }

  /** The indexes of the columns that are shown. */
  List<Integer> shown() {
    return all().filter(this::isShown).boxed().toList();
  }

  int width(int column) {
    return widths[column];
  }

  /** The titles of the columns that are not shown. */
  List<String> leftOut() {
    return all()
        .filter(i -> !isShown(i) && !empty[i])
        .mapToObj(i -> columns.get(i).title())
        .toList();
  }

  /** Whether a reader misses something. */
  boolean isCut() {
    return all()
        .filter(this::isShown)
        .anyMatch(i -> widths[i] < natural[i] && columns.get(i).kind() != Column.Kind.PROSE);
  }

  private void leaveOut(List<List<TableCell>> rows, int room) {
    for (var i = 0; i < widths.length; i++) {
      empty[i] = isEmpty(rows, i);
      if (empty[i] && total(this::comfortable) > room) widths[i] = HIDDEN;
    }
    leaveOut(i -> saysNothing(rows, i), this::comfortable, room);
    leaveOut(_ -> true, this::least, room);
  }

  /** Those that may, by turn, until the others have the width that they want. */
  private void leaveOut(IntPredicate some, IntUnaryOperator wanted, int room) {
    var turns =
        all()
            .filter(i -> isShown(i) && columns.get(i).leaves() > 0 && some.test(i))
            .boxed()
            .sorted(Comparator.comparing(i -> columns.get(i).leaves()))
            .iterator();
    while (turns.hasNext() && total(wanted) > room) widths[turns.next()] = HIDDEN;
  }

  /** Nobody misses a column in which no row has anything. */
  private static boolean isEmpty(List<List<TableCell>> rows, int column) {
    return rows.stream().allMatch(row -> row.get(column).text().isEmpty());
  }

  private static boolean saysNothing(List<List<TableCell>> rows, int column) {
    var first = rows.isEmpty() ? "" : rows.getFirst().get(column).text();
    if (rows.size() < 2 && !first.isEmpty() && !first.equals("-")) return false;
    return rows.stream().allMatch(row -> row.get(column).text().equals(first));
  }

  private void shrink(int room) {
    for (var kinds :
        List.<Predicate<Column>>of(
            Column::isFree, c -> c.kind() == Column.Kind.TEXT, c -> c.kind() == Column.Kind.NAME))
      while (total(i -> widths[i]) > room && narrowed(kinds, this::least)) {}
    while (total(i -> widths[i]) > room && narrowed(_ -> true, _ -> LEAST)) {}
  }

  /** Takes one column of the terminal from the widest of them; false if none has any left. */
  private boolean narrowed(Predicate<Column> some, IntUnaryOperator least) {
    var widest =
        all()
            .filter(i -> some.test(columns.get(i)) && widths[i] > least.applyAsInt(i))
            .boxed()
            .max(Comparator.comparing((Integer i) -> widths[i]));
    widest.ifPresent(i -> widths[i]--);
    return widest.isPresent();
  }

  private int least(int column) {
    return Math.min(natural[column], columns.get(column).least());
  }

  private int comfortable(int column) {
    return columns.get(column).isFree() ? Math.min(natural[column], COMFORT) : natural[column];
  }

  private int total(IntUnaryOperator width) {
    var some = all().filter(this::isShown).map(width).sum();
    return some + GAP.length() * (shown().size() - 1);
  }

  private boolean isShown(int column) {
    return widths[column] != HIDDEN;
  }

  private IntStream all() {
    return IntStream.range(0, columns.size());
  }
}
