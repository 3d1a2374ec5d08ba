package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;

/**
 * {@code …/control/served}: when syncs could be served, as intervals, oldest first, ten minutes of
 * them.
 */
public record Served(String cluster, List<Interval> intervals) implements Document {
  public Served {
    intervals = List.copyOf(intervals);
  }

  /** Syncs could be served all through [from, to]. */
  public record Interval(Instant from, Instant to) {}

  @Override
  public Key.OfServed key() {
    return new Key.OfServed(cluster);
  }
}
