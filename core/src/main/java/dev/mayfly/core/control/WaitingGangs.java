package dev.mayfly.core.control;

import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Query;
import java.util.List;

/**
 * Gangs that wait for workers. Work whose turn comes after theirs is not given to a worker that
 * they may have: otherwise n workers would never be free at the same time.
 */
final class WaitingGangs {
  private final Deck deck;
  private final Dry dry;

  WaitingGangs(Deck deck, Dry dry) {
    this.deck = deck;
    this.dry = dry;
  }

  /** Those of the rows that have a task which nobody has. It costs a read for each gang. */
  List<Turns.Row> of(String cluster, List<Turns.Row> rows) {
    return rows.stream().filter(r -> r.gang() > 1 && waits(cluster, r)).toList();
  }

  private boolean waits(String cluster, Turns.Row row) {
    if (dry.has(row.job())) return false;
    var begun = dry.era();
    var waits = !deck.ledger().query(new Query.ReadyShards(cluster, row.job(), 0, 1)).isEmpty();
    if (!waits) dry.add(row.job(), begun);
    return waits;
  }
}
