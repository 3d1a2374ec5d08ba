package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.List;

/**
 * {@code …/control/serving-history}: when syncs could be served, as intervals over ten minutes,
 * oldest first.
 */
public record ServingHistory(String cluster, List<Interval> intervals) implements LedgerDocument {
  public ServingHistory {
    intervals = List.copyOf(intervals);
  }

  /** Syncs could be served throughout [from, to]. */
  public record Interval(Instant from, Instant to) {}

  @Override
  public DocumentKey.OfServingHistory key() {
    return new DocumentKey.OfServingHistory(cluster);
  }
}
