package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.MetricsRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an attempt's metrics were over time, within a bound.
 *
 * <p><b>Must:</b> never have more than {@link #ROWS} rows or {@link #VALUES} values; have the first
 * row and the newest; keep their order.
 *
 * <p><b>Goals</b>, first to last: the newest quarter has every row; those before are evenly spread
 * over the whole span, each {@code every}-th.
 *
 * <p>Not thread-safe.
 */
public final class MetricsHistory {
  /** The most rows. */
  public static final int ROWS = 1_000;

  /** The most values of all rows together: of many names there are fewer rows. */
  public static final int VALUES = 8_000;

  private record Numbered(long number, MetricsRow row) {}

  private final List<Numbered> older = new ArrayList<>();
  private final ArrayDeque<Numbered> newest = new ArrayDeque<>();
  private long added;
  private long every = 1;
  private int names = 1;

  public void add(MetricsRow row) {
    names = Math.max(names, row.values().size());
    newest.add(new Numbered(added++, row));
    var most = Math.max(2, Math.min(ROWS, VALUES / names));
    while (newest.size() > Math.max(1, most / 4)) age(newest.remove());
    while (older.size() + newest.size() > most) thin();
  }

  /** How many were ever added. */
  public long added() {
    return added;
  }

  /** Those that are kept, in the order in which they were added. */
  public List<MetricsRow> rows() {
    return Stream.concat(older.stream(), newest.stream()).map(Numbered::row).toList();
  }

  private void age(Numbered row) {
    if (row.number % every == 0) older.add(row);
  }

  private void thin() {
    every *= 2;
    older.removeIf(row -> row.number % every != 0);
  }
}
