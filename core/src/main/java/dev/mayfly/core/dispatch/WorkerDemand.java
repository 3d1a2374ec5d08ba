package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A waiting call, with the room that is left on its worker while a pass goes on. */
final class WorkerDemand {
  final PendingSync pendingSync;
  private final Optional<JobQueue.Row> keeper;
  private final Predicate<JobQueue.Row> closed;
  private final boolean slice;
  private FreeResources room;
  private final Map<String, Long> appetite;
  private final Set<String> fed = new HashSet<>();
  private boolean queue = true;

  /**
   * @param keeper the job that the worker is kept for
   * @param closed jobs that leave it to that one
   */
  WorkerDemand(
      PendingSync pendingSync, Optional<JobQueue.Row> keeper, Predicate<JobQueue.Row> closed) {
    this.pendingSync = pendingSync;
    this.keeper = keeper;
    this.closed = closed;
    slice = SliceHosts.isMultiHost(pendingSync.worker());
    room = pendingSync.report.freeResources();
    appetite = pendingSync.report.appetite();
  }

  /** How many tasks of the job it takes. */
  long tasksWanted(JobQueue.Row row) {
    // A gang needs several workers at once: a round finds them, and keeps them for it.
    if (row.gang() > 1 || closed.test(row)) return 0;
    if (slice)
      return fed.isEmpty() && row.place().allowsSlices(row.need()) && room.slots(row.need()) > 0
          ? 1
          : 0;
    var fits = room.slots(row.need());
    // What is kept for another has no queue.
    return fed.contains(row.job()) || keeper.isPresent() || !queue
        ? fits
        : Math.max(fits, appetite.getOrDefault(row.job(), 0L));
  }

  /** Whether it would take tasks of some job that it has no room for yet. */
  boolean mayQueue() {
    return queue && !appetite.isEmpty();
  }

  /** From now on it takes what it has room for alone. */
  void stopQueueing() {
    queue = false;
  }

  /** Whether the job's place allows its worker. */
  boolean mayTake(JobQueue.Row row, Instant now) {
    return row.takes(pendingSync.worker(), now);
  }

  /** Whether it could run a task of the job if nothing else ran there. */
  boolean couldRun(JobQueue.Row row) {
    return pendingSync.report.total().slots(row.need()) > 0;
  }

  /** How many tasks of the job it has room to run at once. */
  long slots(JobQueue.Row row) {
    return slice ? 1 : room.slots(row.need());
  }

  void granted(JobQueue.Row row, List<Shard> shards) {
    var open = shards.stream().mapToLong(Shard::open).sum();
    fed.add(row.job());
    room = room.without(row.need(), Math.min(open, room.slots(row.need())));
  }

  /**
   * By job, how many of the tasks in {@link #held} take no room any more: their processes have
   * ended and their outputs are being published. What has work left begins the next task at once,
   * so they are those of leases that have none.
   */
  Map<String, Long> publishing() {
    var ends = new HashSet<LeaseRef>();
    for (var lease : pendingSync.report.leases())
      if (lease.cursor() >= lease.end()) ends.add(lease.ref());
    var leases = held();
    var most = FreeResources.of(pendingSync.report.total());
    for (var held : leases) most = most.without(held.need(), held.atOnce());
    var publishing = new HashMap<String, Long>();
    var free = pendingSync.report.freeResources();
    for (var held : leases) {
      if (!ends.contains(held.ref())) continue;
      var more = free.slots(held.need()) - most.slots(held.need());
      var over = Math.clamp(more, 0, held.atOnce());
      publishing.merge(held.job(), over, Long::sum);
      free = free.without(held.need(), over);
    }
    return publishing;
  }

  /** The worker's leases with the tasks that run now, as its call says. */
  List<Worker.Held> held() {
    var reported = new HashMap<LeaseRef, SyncReport.Lease>();
    pendingSync.report.leases().forEach(l -> reported.put(l.ref(), l));
    return pendingSync.worker().held().stream()
        .map(h ->
            Optional.ofNullable(reported.get(h.ref()))
                .filter(l -> !l.released() && !h.gang())
                .map(l -> h.withRunning(l.running()))
                .orElse(h))
        .toList();
  }

  /** Whether its worker has several hosts, which run one task together. */
  boolean isSlice() {
    return slice;
  }

  /** Whether its worker has nothing to do, got nothing in this pass, and is for anybody. */
  boolean isIdle() {
    return keeper.isEmpty() && queue && pendingSync.worker().held().isEmpty() && fed.isEmpty();
  }

  /** Whether it got anything in this pass. */
  boolean gotWork() {
    return !fed.isEmpty();
  }
}
