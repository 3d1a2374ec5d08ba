package dev.mayfly.core.sync;

import dev.mayfly.core.dispatch.PendingSync;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.state.job.JobCache;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pending syncs of one instance and the last change signal it received: the state that its
 * threads share. The lock is never held during ledger I/O or while replying.
 */
final class PendingSyncs {
  private final ReportHandler reportHandler;
  private final OrdersBuilder orders;
  private final JobCache jobs;
  private final Map<String, PendingSync> pendingSyncs = new LinkedHashMap<>();

  /** About these jobs all were asked whether they have room, and had none, but for the unasked. */
  private List<JobQueue.Row> asked = List.of();

  private final Set<PendingSync> unasked = new LinkedHashSet<>();
  private ChangeSignal last;

  PendingSyncs(String cluster, ReportHandler reportHandler, OrdersBuilder orders, JobCache jobs) {
    this.reportHandler = reportHandler;
    this.orders = orders;
    this.jobs = jobs;
    last = new ChangeSignal(cluster, Instant.EPOCH, Map.of());
  }

  /**
   * Whether a sync is pending now.
   *
   * @param waits false if the sync itself was overtaken
   * @param older the worker's sync that it replaced
   */
  record Admitted(boolean waits, Optional<PendingSync> older) {}

  /**
   * Keeps the sync pending, unless a newer one of its worker is.
   *
   * @param changed when the worker last changed, as known before it was read
   */
  synchronized Admitted admit(PendingSync pendingSync, Optional<Instant> changed) {
    var report = pendingSync.report;
    var older = Optional.ofNullable(pendingSyncs.get(report.worker()));
    if (older.filter(o -> overtakes(o.report, report)).isPresent() || overtaken(pendingSync))
      return new Admitted(false, Optional.empty());
    pendingSyncs.put(report.worker(), pendingSync);
    older.ifPresent(unasked::remove);
    unasked.add(pendingSync);
    if (!changed.equals(changed(report.worker()))) pendingSync.markStale();
    return new Admitted(true, older);
  }

  private static boolean overtakes(SyncReport waits, SyncReport late) {
    return waits.incarnation().equals(late.incarnation()) && waits.seq() > late.seq();
  }

  /** Whether a newer sync of the worker is stored: the free resources in this one are outdated. */
  static boolean overtaken(PendingSync pendingSync) {
    var worker = pendingSync.worker();
    return worker.seq() > pendingSync.report.seq()
        && worker.incarnation().filter(pendingSync.report.incarnation()::equals).isPresent();
  }

  /** When the worker last changed, by the last change signal. */
  synchronized Optional<Instant> changed(String worker) {
    return Optional.ofNullable(last.workers().get(worker));
  }

  synchronized List<PendingSync> all() {
    return List.copyOf(pendingSyncs.values());
  }

  /** Whether no worker has room for a task of any job; unknown counts as room. */
  boolean allFull() {
    try {
      return allFull(jobs.rows());
    } catch (UnavailableException unknown) {
      return false;
    }
  }

  /** It is asked at each sync, and about a thousand that wait: those that had no room have none. */
  private synchronized boolean allFull(List<JobQueue.Row> rows) {
    if (!rows.equals(asked)) askAgain(rows);
    asked = rows;
    for (var left = unasked.iterator(); left.hasNext(); left.remove()) {
      var pendingSync = left.next();
      if (pendingSync.isStale() || pendingSync.hasRoomFor(rows)) return false;
    }
    return true;
  }

  private void askAgain(List<JobQueue.Row> rows) {
    asked = rows;
    unasked.clear();
    unasked.addAll(pendingSyncs.values());
  }

  /** A pass was made, after which any of them may be stale. */
  synchronized void passed() {
    askAgain(asked);
  }

  synchronized boolean isEmpty() {
    return pendingSyncs.isEmpty();
  }

  /** The sync is no longer pending; false if a newer one of its worker replaced it. */
  synchronized boolean remove(PendingSync pendingSync) {
    unasked.remove(pendingSync);
    return pendingSyncs.remove(pendingSync.report.worker(), pendingSync);
  }

  /** Caches a worker's document as written, unless a later change was signalled. */
  synchronized void remember(PendingSync pendingSync) {
    if (!pendingSync.isStale()) reportHandler.remember(pendingSync.stored());
  }

  /**
   * What a change signal means here.
   *
   * @param work whether work appeared
   * @param changed whether workers with pending syncs changed; those syncs are stale now
   */
  record Changes(boolean work, boolean changed) {}

  /** Forgets what a change signal makes outdated. */
  synchronized Changes onChangeSignal(ChangeSignal changeSignal) {
    // Two changes may have one time, or times of different clocks: any difference is a change.
    var work = !changeSignal.work().equals(last.work()) || changeSignal.equals(last);
    var before = last.workers();
    last = changeSignal;
    var changed = false;
    for (var worker : changeSignal.workers().entrySet())
      if (!worker.getValue().equals(before.get(worker.getKey())))
        changed |= workerChanged(worker.getKey());
    return new Changes(work, changed);
  }

  private boolean workerChanged(String worker) {
    reportHandler.forget(worker);
    orders.invalidate(worker);
    jobs.clear();
    var pendingSync = Optional.ofNullable(pendingSyncs.get(worker));
    pendingSync.ifPresent(PendingSync::markStale);
    pendingSync.ifPresent(unasked::add);
    return pendingSync.isPresent();
  }
}
