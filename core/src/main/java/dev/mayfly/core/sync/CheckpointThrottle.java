package dev.mayfly.core.sync;

import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a report's progress of a lease is worth a write. Unwritten progress is found
 * again by sentinels; progress that this instance forgot or another one wrote costs a read.
 */
final class CheckpointThrottle {
  private record LastCheckpoint(int done, int failed, Instant at) {}

  private static final Duration KEPT = Duration.ofMinutes(30);
  private static final int MAX_LEASES = 10_000;

  /** Longer tasks are recorded as started. */
  private static final Duration LONG_TASK = Duration.ofSeconds(20);

  private final Timings timings;
  private final Map<LeaseRef, LastCheckpoint> lastCheckpoints = new HashMap<>();

  CheckpointThrottle(Timings timings) {
    this.timings = timings;
  }

  /**
   * @param followed whether a user watches the job
   */
  synchronized boolean due(
      Worker.Held held, SyncReport.Lease lease, boolean followed, Instant now) {
    var was = lastCheckpoints.getOrDefault(held.ref(), new LastCheckpoint(0, 0, held.since()));
    var done = lease.done().count() - was.done();
    if (lease.failed().size() > was.failed()) return true;
    if (done <= 0)
      return begun(held, was, lease) && ElapsedTime.hasPassed(was.at(), LONG_TASK, now);
    if (ElapsedTime.hasPassed(was.at(), Timings.SHORTEST_CHECKPOINT_PAUSE, now) && followed)
      return true;
    var share = timings.checkpointShare() * (lease.end() - held.start());
    if (done >= share
        && ElapsedTime.hasPassed(
            was.at(), Timings.checkpointPause(Duration.between(held.since(), was.at())), now))
      return true;
    return ElapsedTime.hasPassed(was.at(), timings.checkpointAfter(), now);
  }

  /**
   * Nothing is recorded of the lease yet and its tasks are long: which of them started is recorded
   * once, so that other instances know what can be stolen and how many tasks run.
   */
  private static boolean begun(Worker.Held held, LastCheckpoint was, SyncReport.Lease lease) {
    var begun = lease.cursor() - held.start();
    return was.at().equals(held.since())
        && begun > 0
        && (begun > 1 || lease.cursor() < lease.end());
  }

  /** How long ago the progress may have been written elsewhere for a write to be pointless. */
  Duration fresh(boolean followed) {
    return followed ? Timings.SHORTEST_CHECKPOINT_PAUSE : timings.checkpointAfter();
  }

  /** Another writer stored the lease's progress. */
  synchronized void writtenElsewhere(SyncReport.Lease lease, Shard shard) {
    var done = Math.min(lease.done().count(), shard.done().count());
    lastCheckpoints.put(lease.ref(), new LastCheckpoint(done, 0, shard.checkpointAt()));
  }

  /** This instance stored the lease's progress now. */
  synchronized void written(SyncReport.Lease lease, Instant now) {
    if (lastCheckpoints.size() > MAX_LEASES)
      lastCheckpoints.values().removeIf(t -> ElapsedTime.hasPassed(t.at(), KEPT, now));
    if (lease.released()) lastCheckpoints.remove(lease.ref());
    else
      lastCheckpoints.put(
          lease.ref(), new LastCheckpoint(lease.done().count(), lease.failed().size(), now));
  }

  /**
   * A copy with these leases if they say what is worth a write of its own: which tasks do not go
   * on, a checkpoint much newer than what is stored, or that room is free whose price the job would
   * pay; otherwise the same worker.
   */
  static Worker withNews(Worker worker, List<Worker.Held> leases, SyncReport report, Instant now) {
    var next = worker.withLeases(leases, now);
    return areStallsNew(worker, leases)
            || leases.stream().anyMatch(it -> keepsMore(worker, it))
            || isRoomFree(worker, next, report, now)
        ? next
        : worker;
  }

  /**
   * Whether tasks have ended whose room stays free, because no task is left here that could start.
   * Else the job would pay for it until its range is given back, which is as long as its last task.
   */
  private static boolean isRoomFree(Worker worker, Worker next, SyncReport report, Instant now) {
    var counted = worker.usage().map(MachineUsage::countedTo);
    return counted
            .filter(at -> ElapsedTime.hasPassed(at, Timings.SHORTEST_CHECKPOINT_PAUSE, now))
            .isPresent()
        && report.leases().stream().noneMatch(lease -> lease.cursor() < lease.end())
        && taken(next) < taken(worker);
  }

  /** From 0 to 1. */
  private static double taken(Worker worker) {
    return Math.min(1, worker.parts().stream().mapToDouble(MachineUsage.Part::share).sum());
  }

  private static boolean areStallsNew(Worker worker, List<Worker.Held> leases) {
    var stalled = leases.stream().map(Worker.Held::stalled).toList();
    return !stalled.equals(worker.held().stream().map(Worker.Held::stalled).toList());
  }

  private static boolean keepsMore(Worker worker, Worker.Held lease) {
    if (lease.kept().isEmpty()) return false;
    var stored = worker.held().stream().filter(it -> it.ref().equals(lease.ref())).findFirst();
    return KeptTask.areNews(
        lease.kept().get(), stored.flatMap(Worker.Held::kept).orElse(List.of()));
  }
}
