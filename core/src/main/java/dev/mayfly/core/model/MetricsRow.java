package dev.mayfly.core.model;

import java.time.Instant;
import java.util.Map;

/**
 * What a task's metrics were at one time: a line of the history of an attempt's metrics.
 *
 * @param at when the agent read them
 * @param values the newest of each name; a name whose newest value is no finite number is not there
 */
public record MetricsRow(Instant at, Map<String, Double> values) {
  public MetricsRow {
    values = Map.copyOf(values);
  }
}
