package dev.mayfly.core.sync;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The due times of the workers that report to this instance, written as one document as rarely as
 * possible: a thousand workers cost a write every few seconds, one worker a write per sync
 * interval.
 *
 * <p>A worker's liveness is decided by its stored due time. The document is therefore written half
 * of {@link Timings#silentAfter} after the earliest stored due time that a worker has outlived. For
 * a worker that is not stored yet, or is due sooner than stored, it is written that long after the
 * report. So a worker that reports in time always has a newer stored due time before any instance
 * could consider it silent.
 *
 * <p>A reply does not wait for the write. If the instance dies before it, the worker's last stored
 * due time is older by at most a sync interval, and the worker reports to another instance within
 * the tolerated silence. Only the first document is written before the first reply: until then the
 * instance is unknown to the others, so if it were suspended, its workers would be given up; and
 * after the reply it may have no CPU until its next sync.
 *
 * <p>Each write is conditional on the previous one: a write whose reply was lost and that is
 * applied late never replaces a newer one.
 */
final class HeartbeatLog implements LivenessMonitor.LocalHeartbeats {
  private static final Duration KEPT = Duration.ofMinutes(15);
  private static final int MAX_TRIES = 3;

  private final Context context;
  private final StallDetector detector;
  private final String cluster;
  private final String instance;
  private final Duration slack;
  private final Map<String, Instant> due = new HashMap<>();
  private Map<String, Instant> written = Map.of();
  private Instant wroteAt = Instant.EPOCH;

  /** When the scheduled write runs. */
  private Instant next = Instant.MAX;

  /** The document's last known version; unknown after a lost reply. */
  private Optional<String> version = Optional.empty();

  private boolean versionKnown = true;

  /** Whether the ledger has a document of this instance. */
  private boolean known;

  /** Whether a write is in progress, and whether another was requested during it. */
  private boolean writing;

  private boolean again;

  HeartbeatLog(Context context, StallDetector detector, String cluster, String instance) {
    this.context = context;
    this.detector = detector;
    this.cluster = cluster;
    this.instance = instance;
    slack = context.timings().silentAfter().dividedBy(2);
  }

  void record(String worker, Instant at) {
    if (needsWriteNow(worker, at)) write();
  }

  /** Records the due time; true if it must be written now. */
  private synchronized boolean needsWriteNow(String worker, Instant at) {
    if (at.equals(due.put(worker, at))) return false;
    if (!known) return true;
    scheduleWrite(writeBy(worker, at, context.clock().instant()));
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
    return new HashMap<>(due);
  }

  /** The latest time to write it. */
  private Instant writeBy(String worker, Instant at, Instant now) {
    var known = written.getOrDefault(worker, now);
    var holds = known.isAfter(now) && !at.isBefore(known);
    var by = (holds ? known : now).plus(slack);
    return ElapsedTime.hasPassed(wroteAt, Timings.GROUP, by) ? by : wroteAt.plus(Timings.GROUP);
  }

  private void scheduleWrite(Instant when) {
    if (!when.isBefore(next)) return;
    next = when;
    context.executor().callAt(when, () -> write(when));
  }

  private void write(Instant scheduledFor) {
    synchronized (this) {
      // An earlier write was scheduled.
      if (!scheduledFor.equals(next)) return;
      next = Instant.MAX;
    }
    var _ = write();
  }

  /** One write at a time: of two concurrent writes the older might be applied last. */
  private Optional<Heartbeats> write() {
    synchronized (this) {
      again = writing;
      if (writing) return Optional.empty();
      writing = true;
    }
    try {
      return Optional.of(store(nextDocument()));
    } catch (UnavailableException later) {
      // Silence during a ledger outage does not count; the next write repeats everything.
      synchronized (this) {
        versionKnown = false;
        written = Map.of();
        again = true;
      }
      return Optional.empty();
    } finally {
      writeEnded();
    }
  }

  private synchronized void writeEnded() {
    writing = false;
    if (again) scheduleWrite(context.clock().instant().plus(Timings.GROUP));
    again = false;
  }

  private synchronized Heartbeats nextDocument() {
    var now = context.clock().instant();
    // Workers that left without notice: a reconcile handles workers that no instance has.
    due.values().removeIf(at -> at.plus(KEPT).isBefore(now));
    var heartbeats = new Heartbeats(cluster, instance, now, detector.stalledUntil(), due);
    wroteAt = now;
    written = heartbeats.due();
    return heartbeats;
  }

  private Heartbeats store(Heartbeats heartbeats) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      if (context.ledger().commit(List.of(conditional(heartbeats)))
          instanceof CommitResult.Done done) return stored(heartbeats, done.versions().getFirst());
      synchronized (this) {
        versionKnown = false;
      }
    }
    throw new UnavailableException(
        "the heartbeats of " + instance + " are being written concurrently");
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
    return context.ledger().read(heartbeats.key()).map(VersionedDocument::version);
  }

  private synchronized Heartbeats stored(Heartbeats heartbeats, String now) {
    version = Optional.of(now);
    versionKnown = true;
    known = true;
    return heartbeats;
  }
}
