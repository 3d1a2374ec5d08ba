package dev.mayfly.core.control;

import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs that had no READY shard when last asked; a pulse makes them worth asking again. */
final class Dry {
  private final Deck deck;
  private final Map<String, Instant> asked = new HashMap<>();
  private long era;

  Dry(Deck deck) {
    this.deck = deck;
  }

  synchronized boolean has(String job) {
    var now = deck.clock().instant();
    asked.values().removeIf(at -> Pause.over(at, deck.rules().workerFresh(), now));
    return asked.containsKey(job);
  }

  /** What to tell {@link #add} of a question that begins now. */
  synchronized long era() {
    return era;
  }

  /** Nothing was found; if work appeared since the question began, that says nothing. */
  synchronized void add(String job, long begun) {
    if (begun == era) asked.put(job, deck.clock().instant());
  }

  /** Asks the ledger of each job whether it is dry, side by side, at a read each. */
  void ask(String cluster, List<Turns.Row> rows) {
    var looks = new ArrayList<Runnable>();
    for (var row : rows)
      looks.add(() -> {
        var begun = era();
        if (deck.ledger().query(new Query.ReadyShards(cluster, row.job(), 0, 1)).isEmpty())
          add(row.job(), begun);
      });
    deck.alarms().all(looks);
  }

  synchronized void remove(String job) {
    asked.remove(job);
  }

  synchronized void clear() {
    asked.clear();
    era++;
  }
}
