package dev.mayfly.core.sync;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.SyncContext;
import dev.mayfly.core.state.Timings;
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
 * that still counts as silence of nobody ({@link Timings#silentAfter}); for a worker that is not in
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
final class HeartbeatLog implements LivenessMonitor.LocalHeartbeats {
  private static final Duration KEPT = Duration.ofMinutes(15);
  private static final int TRIES = 3;

  private final SyncContext syncContext;
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

  HeartbeatLog(SyncContext syncContext, StallDetector detector, String cluster, String instance) {
    this.syncContext = syncContext;
    this.detector = detector;
    this.cluster = cluster;
    this.instance = instance;
    slack = syncContext.rules().silentAfter().dividedBy(2);
  }

  void record(String worker, Instant at) {
    if (needsWriteNow(worker, at)) write();
  }

  /** True if it is to be written now. */
  private synchronized boolean needsWriteNow(String worker, Instant at) {
    if (at.equals(due.put(worker, at))) return false;
    if (!known) return true;
    scheduleWrite(writeBy(worker, at, syncContext.clock().instant()));
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
  public Optional<Heartbeats> writeProof() {
    synchronized (this) {
      if (wroteAt.equals(Instant.EPOCH)) return Optional.empty();
      next = Instant.MAX;
    }
    return write();
  }

  @Override
  public synchronized Map<String, Instant> dueTimes() {
    return Map.copyOf(due);
  }

  /** Until when the ledger is to have it. */
  private Instant writeBy(String worker, Instant at, Instant now) {
    var known = written.getOrDefault(worker, now);
    var holds = known.isAfter(now) && !at.isBefore(known);
    var by = (holds ? known : now).plus(slack);
    return ElapsedTime.hasPassed(wroteAt, Timings.GROUP, by) ? by : wroteAt.plus(Timings.GROUP);
  }

  private void scheduleWrite(Instant when) {
    if (!when.isBefore(next)) return;
    next = when;
    syncContext.alarms().callAt(when, () -> write(when));
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
  private Optional<Heartbeats> write() {
    synchronized (this) {
      again = writing;
      if (writing) return Optional.empty();
      writing = true;
    }
    try {
      return Optional.of(store(draft()));
    } catch (UnavailableException later) {
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
    if (again) scheduleWrite(syncContext.clock().instant().plus(Timings.GROUP));
    again = false;
  }

  private synchronized Heartbeats draft() {
    var now = syncContext.clock().instant();
    // Those that left without a word: the rounds look after workers that no instance has.
    due.values().removeIf(at -> at.plus(KEPT).isBefore(now));
    var heartbeats = new Heartbeats(cluster, instance, now, detector.stalledUntil(), due);
    wroteAt = now;
    written = heartbeats.due();
    return heartbeats;
  }

  private Heartbeats store(Heartbeats heartbeats) {
    for (var tries = 0; tries < TRIES; tries++) {
      if (syncContext.ledger().commit(List.of(conditional(heartbeats)))
          instanceof CommitResult.Done done) return stored(heartbeats, done.versions().getFirst());
      synchronized (this) {
        versionKnown = false;
      }
    }
    throw new UnavailableException("the beats of " + instance + " are being written by others");
  }

  private LedgerWrite conditional(Heartbeats heartbeats) {
    return last(heartbeats)
        .<LedgerWrite>map(v -> new LedgerWrite.Update(heartbeats, v))
        .orElseGet(() -> new LedgerWrite.Create(heartbeats));
  }

  private Optional<String> last(Heartbeats heartbeats) {
    synchronized (this) {
      if (versionKnown) return version;
    }
    return syncContext.ledger().read(heartbeats.key()).map(VersionedDocument::version);
  }

  private synchronized Heartbeats stored(Heartbeats heartbeats, String now) {
    version = Optional.of(now);
    versionKnown = true;
    known = true;
    return heartbeats;
  }
}
