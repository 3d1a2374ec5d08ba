package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code …/control/turns}: whose turn it is, best first, and why somebody waits.
 *
 * @param rows the jobs that may be granted leases, in order of priority, then age
 */
public record Turns(String cluster, Instant at, List<Row> rows) implements Document {
  public Turns {
    rows = List.copyOf(rows);
  }

  /**
   * One job in the queue.
   *
   * @param pools the pools that may run it; all when empty
   * @param grants tasks that may still be leased until the next round; unlimited when empty
   */
  public record Row(
      String job,
      String name,
      String owner,
      int priority,
      Instant submittedAt,
      Resources need,
      List<String> pools,
      boolean exclusive,
      Optional<Long> grants) {
    public Row {
      pools = List.copyOf(pools);
    }
  }

  @Override
  public Key.OfTurns key() {
    return new Key.OfTurns(cluster);
  }
}
