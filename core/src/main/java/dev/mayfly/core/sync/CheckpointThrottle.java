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
   * @param soon whether what is done is worth a write of its own: a user watches the job, or {@link
   *     #isRoomFree}
   */
  synchronized boolean due(Worker.Held held, SyncReport.Lease lease, boolean soon, Instant now) {
    var was = lastCheckpoints.getOrDefault(held.ref(), new LastCheckpoint(0, 0, held.since()));
    var done = lease.done().count() - was.done();
    if (lease.failed().size() > was.failed()) return true;
    if (done <= 0)
      return begun(held, was, lease) && ElapsedTime.hasPassed(was.at(), LONG_TASK, now);
    if (ElapsedTime.hasPassed(was.at(), Timings.SHORTEST_CHECKPOINT_PAUSE, now) && soon)
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

  /**
   * Whether another instance recently stored the lease's progress: syncs of one worker may reach
   * any instance, and each would store it again.
   */
  boolean wroteAnother(Shard shard, SyncReport.Lease lease, boolean soon, Instant now) {
    if (lease.released() || !lease.failed().isEmpty()) return false;
    var ours = lease.ref().epoch() == shard.epoch() && shard.state() == Shard.State.LEASED;
    // The grant itself records nothing of what its tasks do.
    var young =
        shard.checkpointAt().isAfter(shard.leasedAt())
            && !ElapsedTime.hasPassed(shard.checkpointAt(), fresh(soon), now);
    var more = lease.done().count() - shard.done().count();
    if (!ours || !young || more >= timings.checkpointShare() * (shard.end() - shard.start()))
      return false;
    writtenElsewhere(lease, shard);
    return true;
  }

  /** How long ago the progress may have been written elsewhere for a write to be pointless. */
  private Duration fresh(boolean soon) {
    return soon ? Timings.SHORTEST_CHECKPOINT_PAUSE : timings.checkpointAfter();
  }

  /** Another writer stored the lease's progress. */
  private synchronized void writtenElsewhere(SyncReport.Lease lease, Shard shard) {
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
   * A copy with these leases if they say of tasks that have not ended what is worth a write of its
   * own, which of them do not go on, or a checkpoint much newer than what is stored; otherwise the
   * same worker.
   */
  static Worker withNews(Worker worker, List<Worker.Held> leases, Instant now) {
    return areStallsNew(worker, leases) || leases.stream().anyMatch(it -> keepsMore(worker, it))
        ? worker.withLeases(leases, now)
        : worker;
  }

  /**
   * Whether tasks have ended whose room stays free, because no task is left here that could start.
   * Else the job would pay for it until its range is given back, which is as long as its last task.
   * What is done is written together with it, or what has ended would seem to wait.
   */
  static boolean isRoomFree(Worker worker, SyncReport report) {
    if (report.leases().stream().anyMatch(lease -> lease.cursor() < lease.end())) return false;
    var reported = new HashMap<LeaseRef, SyncReport.Lease>();
    report.leases().forEach(lease -> reported.put(lease.ref(), lease));
    var next =
        worker.held().stream()
            .map(held -> {
              var lease = reported.get(held.ref());
              return lease == null || held.gang() ? held : held.with(lease);
            })
            .toList();
    return taken(worker.withLeases(next, Instant.EPOCH)) < taken(worker);
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
