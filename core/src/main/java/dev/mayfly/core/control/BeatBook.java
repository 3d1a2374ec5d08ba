package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Beats;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When each worker that this instance heard is due next, written as one document at most once a
 * second, so that a thousand heartbeats cost one write.
 *
 * <p>A reply does not wait for the write: if the instance dies before it, the worker's last written
 * due time is older by at most a beat, and it speaks again, elsewhere, within the silence that
 * nobody is judged for.
 */
final class BeatBook {
  private static final Duration KEPT = Duration.ofMinutes(15);

  private final Ledger ledger;
  private final Alarms alarms;
  private final InstantSource clock;
  private final String cluster;
  private final String instance;
  private final Map<String, Instant> due = new HashMap<>();
  private Instant written = Instant.EPOCH;
  private boolean dirty;
  private boolean asked;

  BeatBook(Ledger ledger, Alarms alarms, InstantSource clock, String cluster, String instance) {
    this.ledger = ledger;
    this.alarms = alarms;
    this.clock = clock;
    this.cluster = cluster;
    this.instance = instance;
  }

  synchronized void due(String worker, Instant at) {
    if (at.equals(due.put(worker, at))) return;
    dirty = true;
    ask();
  }

  synchronized void forget(String worker) {
    if (due.remove(worker) != null) dirty = true;
  }

  private void ask() {
    if (asked) return;
    asked = true;
    var now = clock.instant();
    alarms.at(Pause.over(written, Rules.GROUP, now) ? now : written.plus(Rules.GROUP), this::write);
  }

  private void write() {
    Beats beats;
    synchronized (this) {
      asked = false;
      if (!dirty) return;
      dirty = false;
      written = clock.instant();
      // Those that left without a word: the rounds look after workers that no instance has.
      due.values().removeIf(at -> at.plus(KEPT).isBefore(written));
      beats = new Beats(cluster, instance, written, due);
    }
    try {
      ledger.commit(List.of(new Write.Put(beats)));
    } catch (Unavailable later) {
      // Silence while the ledger is away counts for nobody; the next write says it all again.
      synchronized (this) {
        dirty = true;
        ask();
      }
    }
  }
}
