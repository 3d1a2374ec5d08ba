package dev.mayfly.core.control;

import java.time.Instant;
import java.util.HashMap;
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

  synchronized void remove(String job) {
    asked.remove(job);
  }

  synchronized void clear() {
    asked.clear();
    era++;
  }
}
