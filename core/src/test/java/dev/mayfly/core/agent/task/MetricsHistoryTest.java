package dev.mayfly.core.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.MetricsRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MetricsHistoryTest {
  private final MetricsHistory history = new MetricsHistory();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 250, 999, 1_000})
  void allRowsAreKeptUpToTheBound(int rows) {
    add(rows, 1);

    assertThat(steps()).hasSize(rows);
    assertThat(history.added()).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource({
    "1001, 1",
    "1002, 1",
    "1500, 3",
    "1999, 8",
    "20000, 1",
    "100000, 8",
    "251, 32",
    "50000, 32"
  })
  void historyIsBoundedAndSpansEverything(int rows, int names) {
    add(rows, names);

    var most = Math.min(MetricsHistory.ROWS, MetricsHistory.VALUES / names);
    assertThat(steps())
        .hasSizeBetween(most / 2, most)
        .isSorted()
        .doesNotHaveDuplicates()
        .startsWith(0.0)
        .endsWith(rows - 1.0);
  }

  @Test
  void newestQuarterIsWholeAndTheRestEvenlySpread() {
    add(40_000, 1);

    var steps = steps();
    var older = steps.subList(0, steps.size() - 250);
    var gap = older.get(1);
    assertThat(steps.subList(older.size(), steps.size())).startsWith(39_750.0, 39_751.0);
    for (var i = 0; i < older.size(); i++) assertThat(older.get(i)).isEqualTo(i * gap);
    assertThat(39_750 - older.getLast()).isLessThanOrEqualTo(gap);
  }

  @Test
  void boundHoldsAtEachRow() {
    for (var i = 0; i < 3_000; i++) {
      var names = i < 1_500 ? 1 : 32;
      history.add(row(i, names));
      var rows = history.rows();
      assertThat(rows.size()).isLessThanOrEqualTo(MetricsHistory.ROWS);
      assertThat(rows.stream().mapToInt(row -> row.values().size()).sum())
          .isLessThanOrEqualTo(MetricsHistory.VALUES);
      assertThat(rows.getLast()).isEqualTo(row(i, names));
    }
  }

  private void add(int rows, int names) {
    for (var i = 0; i < rows; i++) history.add(row(i, names));
  }

  private static MetricsRow row(int step, int names) {
    var values = new HashMap<>(Map.of("step", (double) step));
    for (var i = 1; i < names; i++) values.put("m" + i, 1.0);
    return new MetricsRow(Instant.ofEpochSecond(step), values);
  }

  private List<Double> steps() {
    return history.rows().stream().map(row -> row.values().get("step")).toList();
  }
}
