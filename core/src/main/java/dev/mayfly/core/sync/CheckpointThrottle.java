package dev.mayfly.core.sync;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.Timings;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether what a report tells of a lease that goes on is worth a write. What is not written is
 * found again by sentinels; what this instance forgets, or another one wrote, costs a read.
 */
final class CheckpointThrottle {
  private record Told(int done, int failed, Instant at) {}

  private static final Duration KEPT = Duration.ofMinutes(30);
  private static final int MANY = 10_000;

  /** Leases that end sooner are not worth it; the longer one lasts, the longer are the pauses. */
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(5);

  /** Tasks that last longer are told as begun. */
  private static final Duration LONG_TASK = Duration.ofSeconds(20);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

  private final Timings timings;
  private final Map<LeaseRef, Told> told = new HashMap<>();

  CheckpointThrottle(Timings timings) {
    this.timings = timings;
  }

  synchronized boolean due(Worker.Held held, SyncReport.Lease lease, Instant now) {
    var was = told.getOrDefault(held.ref(), new Told(0, 0, held.since()));
    var done = lease.done().count() - was.done();
    if (lease.failed().size() > was.failed()) return true;
    if (done <= 0)
      return begun(held, was, lease) && ElapsedTime.hasPassed(was.at(), LONG_TASK, now);
    var share = timings.checkpointShare() * (lease.end() - held.start());
    if (done >= share && ElapsedTime.hasPassed(was.at(), pause(held, was.at()), now)) return true;
    return ElapsedTime.hasPassed(was.at(), timings.checkpointAfter(), now);
  }

  /**
   * Nothing was told of the lease yet, and its tasks are long: which of them began is told once, so
   * that others know what they may take, and how many of them run.
   */
  private static boolean begun(Worker.Held held, Told was, SyncReport.Lease lease) {
    var begun = lease.cursor() - held.start();
    return was.at().equals(held.since())
        && begun > 0
        && (begun > 1 || lease.cursor() < lease.end());
  }

  /** As long as the lease had lasted by then, so that each progress is at most half untold. */
  private static Duration pause(Worker.Held held, Instant last) {
    var lasted = Duration.between(held.since(), last);
    if (lasted.compareTo(SHORTEST_PAUSE) < 0) return SHORTEST_PAUSE;
    return lasted.compareTo(LONGEST_PAUSE) < 0 ? lasted : LONGEST_PAUSE;
  }

  /** Somebody else wrote the lease's progress. */
  synchronized void writtenElsewhere(SyncReport.Lease lease, Shard shard) {
    var done = Math.min(lease.done().count(), shard.done().count());
    told.put(lease.ref(), new Told(done, 0, shard.checkpointAt()));
  }

  /** It was written now. */
  synchronized void written(SyncReport.Lease lease, Instant now) {
    if (told.size() > MANY) told.values().removeIf(t -> ElapsedTime.hasPassed(t.at(), KEPT, now));
    if (lease.released()) told.remove(lease.ref());
    else told.put(lease.ref(), new Told(lease.done().count(), lease.failed().size(), now));
  }
}
