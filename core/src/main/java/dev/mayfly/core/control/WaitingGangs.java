package dev.mayfly.core.control;

import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Query;
import java.util.List;
import java.util.Set;

/**
 * Jobs for which workers are kept: gangs, which need n at the same time, and tasks that are larger
 * than what falls free at once. Others would take what falls free for ever.
 */
final class WaitingGangs {
  private final Deck deck;
  private final Dry dry;

  WaitingGangs(Deck deck, Dry dry) {
    this.deck = deck;
    this.dry = dry;
  }

  /**
   * Those of the rows for which one of the workers is kept, and that have a task which nobody has.
   * It costs a read for each.
   */
  List<Turns.Row> of(String cluster, List<Turns.Row> rows, Set<String> workers) {
    return rows.stream()
        .filter(r -> r.kept().stream().anyMatch(workers::contains) && waits(cluster, r))
        .toList();
  }

  private boolean waits(String cluster, Turns.Row row) {
    if (dry.has(row.job())) return false;
    var begun = dry.era();
    var waits = !deck.ledger().query(new Query.ReadyShards(cluster, row.job(), 0, 1)).isEmpty();
    if (!waits) dry.add(row.job(), begun);
    return waits;
  }
}
