package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Beats;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When each worker that this instance heard is due next, written as one document as seldom as can
 * be: a thousand heartbeats cost a write every few seconds, those of one worker a write a beat.
 *
 * <p>A worker is judged by the due time that is written. So the document is written when the
 * earliest of the times in it that a worker has outlived has gone by, and half of the time later
 * that still counts as silence of nobody ({@link Rules#silentAfter}); for a worker that is not in
 * it, or that is due sooner than it says, that long after the worker was heard. Of a worker that
 * speaks in time a newer due time is always written before anybody could call it silent.
 *
 * <p>A reply does not wait for the write: if the instance dies before it, the worker's last written
 * due time is older by at most a beat, and it speaks again, elsewhere, within the silence that
 * nobody is judged for. Only the first document is written before the first reply: until then
 * nobody knows of the instance, so that one which stood still would lose the workers that call it;
 * and after the reply it may have no processor until its next call.
 *
 * <p>Each write is conditional on the one before: a write whose reply was lost and that is applied
 * late never replaces a newer one.
 */
final class BeatBook implements Judge.Witness {
  private static final Duration KEPT = Duration.ofMinutes(15);
  private static final int TRIES = 3;

  private final Deck deck;
  private final StallDetector detector;
  private final String cluster;
  private final String instance;
  private final Duration slack;
  private final Map<String, Instant> due = new HashMap<>();
  private Map<String, Instant> written = Map.of();
  private Instant wroteAt = Instant.EPOCH;

  /** When the write that is asked for comes. */
  private Instant next = Instant.MAX;

  /** The document as it was last seen in the ledger; unknown after a lost reply. */
  private Optional<String> version = Optional.empty();

  private boolean versionKnown = true;

  /** Whether a document of this instance was written. */
  private boolean known;

  /** Whether a write is on its way, and whether another was asked for meanwhile. */
  private boolean writing;

  private boolean again;

  BeatBook(Deck deck, StallDetector detector, String cluster, String instance) {
    this.deck = deck;
    this.detector = detector;
    this.cluster = cluster;
    this.instance = instance;
    slack = deck.rules().silentAfter().dividedBy(2);
  }

  void due(String worker, Instant at) {
    if (noted(worker, at)) write();
  }

  /** True if it is to be written now. */
  private synchronized boolean noted(String worker, Instant at) {
    if (at.equals(due.put(worker, at))) return false;
    if (!known) return true;
    ask(by(worker, at, deck.clock().instant()));
    return false;
  }

  synchronized void forget(String worker) {
    due.remove(worker);
  }

  /**
   * Writes the document now, as proof that this instance serves; empty if it has none, or if the
   * ledger cannot be reached.
   */
  @Override
  public Optional<Beats> vouch() {
    synchronized (this) {
      if (wroteAt.equals(Instant.EPOCH)) return Optional.empty();
      next = Instant.MAX;
    }
    return write();
  }

  @Override
  public synchronized Map<String, Instant> heard() {
    return Map.copyOf(due);
  }

  /** Until when the ledger is to have it. */
  private Instant by(String worker, Instant at, Instant now) {
    var known = written.getOrDefault(worker, now);
    var holds = known.isAfter(now) && !at.isBefore(known);
    var by = (holds ? known : now).plus(slack);
    return Pause.over(wroteAt, Rules.GROUP, by) ? by : wroteAt.plus(Rules.GROUP);
  }

  private void ask(Instant when) {
    if (!when.isBefore(next)) return;
    next = when;
    deck.alarms().at(when, () -> write(when));
  }

  private void write(Instant asked) {
    synchronized (this) {
      // Another write was asked for that came sooner.
      if (!asked.equals(next)) return;
      next = Instant.MAX;
    }
    var _ = write();
  }

  /** One write at a time: of two at once the older might come last. */
  private Optional<Beats> write() {
    synchronized (this) {
      again = writing;
      if (writing) return Optional.empty();
      writing = true;
    }
    try {
      return Optional.of(store(draft()));
    } catch (Unavailable later) {
      // Silence while the ledger is away counts for nobody; the next write says it all again.
      synchronized (this) {
        versionKnown = false;
        written = Map.of();
        again = true;
      }
      return Optional.empty();
    } finally {
      wrote();
    }
  }

  private synchronized void wrote() {
    writing = false;
    if (again) ask(deck.clock().instant().plus(Rules.GROUP));
    again = false;
  }

  private synchronized Beats draft() {
    var now = deck.clock().instant();
    // Those that left without a word: the rounds look after workers that no instance has.
    due.values().removeIf(at -> at.plus(KEPT).isBefore(now));
    var beats = new Beats(cluster, instance, now, detector.stalledUntil(), due);
    wroteAt = now;
    written = beats.due();
    return beats;
  }

  private Beats store(Beats beats) {
    for (var tries = 0; tries < TRIES; tries++) {
      if (deck.ledger().commit(List.of(conditional(beats))) instanceof Committed.Done done)
        return stored(beats, done.versions().getFirst());
      synchronized (this) {
        versionKnown = false;
      }
    }
    throw new Unavailable("the beats of " + instance + " are being written by others");
  }

  private Write conditional(Beats beats) {
    return last(beats)
        .<Write>map(v -> new Write.Update(beats, v))
        .orElseGet(() -> new Write.Create(beats));
  }

  private Optional<String> last(Beats beats) {
    synchronized (this) {
      if (versionKnown) return version;
    }
    return deck.ledger().read(beats.key()).map(Stored::version);
  }

  private synchronized Beats stored(Beats beats, String now) {
    version = Optional.of(now);
    versionKnown = true;
    known = true;
    return beats;
  }
}
