package dev.mayfly.core.control;

import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;

/**
 * Which of a job's tasks this instance looks at first, so that instances rarely want one shard at
 * once: they share the tasks out evenly, in the order of their names, among those of them that
 * wrote beats of late. An instance that nobody knows of yet only costs conflicts.
 */
final class Ring {
  private static final Duration LIVE = Duration.ofSeconds(60);

  /** Tasks from {@code from} to before {@code to}. */
  record Arc(long from, long to) {
    boolean has(long start) {
      return start >= from && start < to;
    }
  }

  private final Deck deck;
  private final String cluster;
  private final String instance;
  private Instant looked = Instant.EPOCH;
  private int place;
  private int places = 1;

  Ring(Deck deck, String cluster, String instance) {
    this.deck = deck;
    this.cluster = cluster;
    this.instance = instance;
  }

  Arc arc(long tasks) {
    var now = deck.clock().instant();
    if (Pause.over(looked, LIVE, now)) look(now);
    return new Arc(part(tasks, place), part(tasks, place + 1));
  }

  private long part(long tasks, int of) {
    return tasks * of / places;
  }

  private void look(Instant now) {
    var names = new TreeSet<String>();
    names.add(instance);
    for (var stored : deck.ledger().query(new Query.AllBeats(cluster))) {
      var beats = stored.value();
      if (!beats.instance().equals(BeatCare.INSTANCE) && !Pause.over(beats.writtenAt(), LIVE, now))
        names.add(beats.instance());
    }
    place = names.headSet(instance).size();
    places = names.size();
    looked = now;
  }
}
