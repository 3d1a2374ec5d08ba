package dev.mayfly.core.sync;

import dev.mayfly.core.dispatch.PendingSync;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.state.job.JobCache;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls that wait at one instance, and the last pulse that it heard: what its threads share.
 * Nothing here calls anybody while it is locked.
 */
final class PendingSyncs {
  private final ReportHandler reportHandler;
  private final OrdersBuilder orders;
  private final JobCache jobs;
  private final Map<String, PendingSync> pendingSyncs = new LinkedHashMap<>();
  private ChangeSignal last;

  PendingSyncs(String cluster, ReportHandler reportHandler, OrdersBuilder orders, JobCache jobs) {
    this.reportHandler = reportHandler;
    this.orders = orders;
    this.jobs = jobs;
    last = new ChangeSignal(cluster, Instant.EPOCH, Map.of());
  }

  /**
   * Whether a call waits now.
   *
   * @param waits false if it was overtaken itself
   * @param older the worker's call whose place it took
   */
  record Admitted(boolean waits, Optional<PendingSync> older) {}

  /**
   * Lets the call wait, unless a newer one of its worker's does.
   *
   * @param changed when the worker was changed last, as far as was known before it was read
   */
  synchronized Admitted admit(PendingSync pendingSync, Optional<Instant> changed) {
    var report = pendingSync.report;
    var older = Optional.ofNullable(pendingSyncs.get(report.worker()));
    if (older.filter(o -> overtakes(o.report, report)).isPresent() || overtaken(pendingSync))
      return new Admitted(false, Optional.empty());
    pendingSyncs.put(report.worker(), pendingSync);
    if (!changed.equals(changed(report.worker()))) pendingSync.markStale();
    return new Admitted(true, older);
  }

  private static boolean overtakes(SyncReport waits, SyncReport late) {
    return waits.incarnation().equals(late.incarnation()) && waits.seq() > late.seq();
  }

  /** A newer call of the worker was written: what this one says of its room is old. */
  static boolean overtaken(PendingSync pendingSync) {
    var worker = pendingSync.worker();
    return worker.seq() > pendingSync.report.seq()
        && worker.incarnation().filter(pendingSync.report.incarnation()::equals).isPresent();
  }

  /** When the last pulse said that the worker was changed. */
  synchronized Optional<Instant> changed(String worker) {
    return Optional.ofNullable(last.workers().get(worker));
  }

  synchronized List<PendingSync> all() {
    return List.copyOf(pendingSyncs.values());
  }

  synchronized boolean isEmpty() {
    return pendingSyncs.isEmpty();
  }

  /** The call waits no more; false if a newer one of its worker's has taken its place. */
  synchronized boolean remove(PendingSync pendingSync) {
    return pendingSyncs.remove(pendingSync.report.worker(), pendingSync);
  }

  /** A worker's document as it was written, unless somebody was heard to change it since. */
  synchronized void remember(PendingSync pendingSync) {
    if (!pendingSync.isStale()) reportHandler.remember(pendingSync.stored());
  }

  /**
   * What a pulse says.
   *
   * @param work whether work appeared
   * @param changed whether workers whose calls wait here were changed; those calls are stale now
   */
  record Changes(boolean work, boolean changed) {}

  /** Forgets what a pulse says is old. */
  synchronized Changes onChangeSignal(ChangeSignal changeSignal) {
    // Two changes may carry one time, or come from clocks that differ: any change is news.
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
    return pendingSync.isPresent();
  }
}
