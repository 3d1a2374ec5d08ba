package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.lease.LeaseParts;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** A pending sync with the free resources of its worker during a pass. */
final class WorkerDemand {
  final PendingSync pendingSync;
  private final Optional<JobQueue.Row> keeper;
  private final Predicate<JobQueue.Row> excluded;
  private final boolean slice;
  private FreeResources free;
  private final Map<String, Long> queueable;
  private Set<String> served = Set.of();
  private boolean queue = true;

  /**
   * @param keeper the job that the worker is kept for
   * @param excluded jobs that must leave it to the keeper
   */
  private WorkerDemand(
      PendingSync pendingSync, Optional<JobQueue.Row> keeper, Predicate<JobQueue.Row> excluded) {
    this.pendingSync = pendingSync;
    this.keeper = keeper;
    this.excluded = excluded;
    slice = SliceHosts.isMultiHost(pendingSync.worker());
    free = pendingSync.free();
    queueable = pendingSync.report.prefetch();
  }

  /**
   * @param keepers jobs for which workers are kept
   * @param longest the longest run time of a job's tasks, if known
   */
  static WorkerDemand of(
      PendingSync pendingSync,
      List<JobQueue.Row> keepers,
      Function<JobQueue.Row, Optional<Duration>> longest,
      Instant now) {
    if (keepers.isEmpty()) return new WorkerDemand(pendingSync, Optional.empty(), _ -> false);
    var keeper =
        keepers.stream().filter(k -> k.kept().contains(pendingSync.worker().name())).findFirst();
    return new WorkerDemand(
        pendingSync,
        keeper,
        row -> keeper.filter(k -> k.keepsFrom(row, () -> longest.apply(row), now)).isPresent());
  }

  /** False if it surely takes no task of the job; what a kept worker takes is asked elsewhere. */
  boolean mayWant(JobQueue.Row row) {
    return keeper.isPresent() || free.slots(row.need()) > 0 || queueable.containsKey(row.job());
  }

  /** How many tasks of the job it takes. */
  long tasksWanted(JobQueue.Row row) {
    // A gang needs several workers at once: a reconcile finds them and keeps them for it.
    if (row.gang() > 1 || excluded.test(row)) return 0;
    if (slice)
      return served.isEmpty() && row.place().allowsSlices(row.need()) && free.slots(row.need()) > 0
          ? 1
          : 0;
    var fits = free.slots(row.need());
    // A kept worker queues no tasks.
    return served.contains(row.job()) || keeper.isPresent() || !queue
        ? fits
        : Math.max(fits, queueable.getOrDefault(row.job(), 0L));
  }

  /** Whether it would queue tasks of some job beyond its free resources. */
  boolean mayQueue() {
    return queue && !queueable.isEmpty();
  }

  /** From now on it takes only what fits its free resources. */
  void stopQueueing() {
    queue = false;
  }

  /** Whether the job's placement allows its worker. */
  boolean mayTake(JobQueue.Row row, Instant now) {
    return row.takes(pendingSync.worker(), now)
        && OutrankedTasks.isOpenTo(pendingSync.worker(), row.priority(), now);
  }

  /** Whether it could run a task of the job if nothing else ran there. */
  boolean couldRun(JobQueue.Row row) {
    return pendingSync.report.total().slots(row.need()) > 0;
  }

  /** How many tasks of the job fit its free resources at once. */
  long slots(JobQueue.Row row) {
    return slice ? 1 : free.slots(row.need());
  }

  void granted(JobQueue.Row row, List<Shard> shards) {
    var open = shards.stream().mapToLong(Shard::open).sum();
    if (served.isEmpty()) served = new HashSet<>();
    served.add(row.job());
    free = free.without(row.need(), Math.min(open, free.slots(row.need())));
  }

  /**
   * By job, how many of the tasks in {@link #held} no longer use resources: their processes have
   * ended and their outputs are being published.
   */
  Map<String, Long> publishing() {
    var publishing = new HashMap<String, Long>();
    for (var lease : reported())
      lease
          .publishing()
          .ifPresent(tasks -> publishing.merge(lease.ref().job(), (long) tasks.size(), Long::sum));
    return publishing;
  }

  /**
   * By job, how many of the tasks that its stored worker has in leases without any left to start no
   * longer use resources: those in {@link #publishing}, and those whose end is not written yet.
   */
  Map<String, Long> ended() {
    var reported = new HashMap<LeaseRef, SyncReport.Lease>();
    for (var lease : reported())
      if (lease.cursor() >= lease.end() && !lease.released()) reported.put(lease.ref(), lease);
    var ended = publishing();
    for (var held : pendingSync.worker().held()) {
      var lease = reported.get(held.ref());
      if (lease == null || held.gang()) continue;
      ended.merge(held.job(), Math.max(0, held.atOnce() - held.with(lease).atOnce()), Long::sum);
    }
    return ended;
  }

  private List<SyncReport.Lease> reported() {
    return LeaseParts.apart(pendingSync.worker(), pendingSync.report).leases();
  }

  /** The worker's leases with the tasks that run now, as its sync reports them. */
  List<Worker.Held> held() {
    var reported = new HashMap<LeaseRef, SyncReport.Lease>();
    reported().forEach(l -> reported.put(l.ref(), l));
    return pendingSync.worker().held().stream()
        .map(h ->
            Optional.ofNullable(reported.get(h.ref()))
                .filter(l -> !l.released() && !h.gang())
                .map(h::with)
                .orElse(h))
        .toList();
  }

  /** Whether its worker has several hosts, which run one task together. */
  boolean isSlice() {
    return slice;
  }

  /** Whether its worker is idle, got nothing in this pass, and is not kept for a job. */
  boolean isIdle() {
    return keeper.isEmpty() && queue && pendingSync.worker().held().isEmpty() && served.isEmpty();
  }

  /** Whether its worker has nothing to do. */
  boolean holdsNothing() {
    return pendingSync.worker().held().isEmpty();
  }

  /** Whether it has room for the least of tasks. */
  boolean hasRoom(Resources smallest) {
    return free.amounts().covers(smallest);
  }

  /** Whether the worker of a pending sync is open, and has room for the least of tasks. */
  static boolean mayTakeMore(PendingSync pendingSync, Resources smallest, Instant now) {
    return !pendingSync.answered()
        && pendingSync.worker().state() instanceof WorkerState.Ready
        && pendingSync.report.freeResources().amounts().covers(smallest)
        && Cordons.of(pendingSync.worker(), now).isEmpty();
  }

  /** An amount of each that every task of these jobs needs. */
  static Resources smallestNeed(List<JobQueue.Row> rows) {
    return rows.stream().map(JobQueue.Row::need).reduce(Resources::least).orElse(Resources.ZERO);
  }

  /** Whether it got work in this pass. */
  boolean gotWork() {
    return !served.isEmpty();
  }
}
