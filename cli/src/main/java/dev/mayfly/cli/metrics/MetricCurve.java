package dev.mayfly.cli.metrics;

import dev.mayfly.core.model.MetricsRow;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the metrics of one attempt were over time, as its agent stored them last.
 *
 * @param index of the task
 * @param storedAt when; what is newer is not known here
 * @param rows in their order; of a long history every n-th, the newest all
 */
public record MetricCurve(long index, String attempt, Instant storedAt, List<MetricsRow> rows) {
  public MetricCurve {
    rows = List.copyOf(rows);
  }

  /** With at most so many rows, evenly chosen, among them the first and the last. */
  public MetricCurve atMost(int most) {
    if (rows.size() <= most) return this;
    var some =
        IntStream.range(0, most)
            .mapToObj(i -> rows.get((int) ((long) i * (rows.size() - 1) / (most - 1))))
            .toList();
    return new MetricCurve(index, attempt, storedAt, some);
  }
}
