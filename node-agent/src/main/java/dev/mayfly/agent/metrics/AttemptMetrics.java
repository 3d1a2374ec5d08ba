package dev.mayfly.agent.metrics;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.logs.StoredHistory;
import dev.mayfly.core.agent.task.MetricsHistory;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.model.TaskUse;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one attempt tells in {@code $MAYFLY_METRICS}: the newest values, and those over time. */
public final class AttemptMetrics implements StoredHistory {
  private final MetricsFile metricsFile;
  private final MetricsHistory history = new MetricsHistory();
  private boolean hasValues;

  public AttemptMetrics(AttemptDir dir) {
    metricsFile = new MetricsFile(dir);
  }

  /**
   * All values so far; empty if nothing is new.
   *
   * @param last whether the task has ended, so that a last line without an end counts
   */
  public synchronized Optional<Map<String, Double>> news(Instant now, boolean last)
      throws IOException {
    var at = now.truncatedTo(ChronoUnit.MILLIS);
    return metricsFile.news(last, values -> add(new MetricsRow(at, own(values))));
  }

  /** What the task wrote: in the history a name that is not there any more tells that by itself. */
  private static Map<String, Double> own(Map<String, Double> values) {
    return TaskUse.reported(values).orElse(Map.of());
  }

  /** Lines before the first value say nothing; one that ends all values is a gap. */
  private void add(MetricsRow row) {
    if (hasValues || !row.values().isEmpty()) history.add(row);
    hasValues = !row.values().isEmpty();
  }

  @Override
  public synchronized long added() {
    return history.added();
  }

  @Override
  public synchronized List<MetricsRow> rows() {
    return history.rows();
  }
}
