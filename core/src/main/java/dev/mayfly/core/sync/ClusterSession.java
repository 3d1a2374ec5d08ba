package dev.mayfly.core.sync;

import dev.mayfly.core.dispatch.Dispatcher;
import dev.mayfly.core.dispatch.InstanceTaskRange;
import dev.mayfly.core.dispatch.PendingSync;
import dev.mayfly.core.dispatch.RunningTaskDeltas;
import dev.mayfly.core.dispatch.StealTimer;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.job.GangCoordinator;
import dev.mayfly.core.state.job.JobCache;
import dev.mayfly.core.state.job.JobCompletion;
import dev.mayfly.core.state.worker.LeaseRevoker;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One cluster's syncs at one instance: the pending ones and the state they share.
 *
 * <p>One pass at a time grants work to pending syncs; a sync that arrives during a pass is left to
 * the next one. The lock guards in-memory state only. It is never held during ledger I/O or while
 * replying, because a reply may re-enter.
 */
final class ClusterSession implements AutoCloseable {
  private final Context context;
  private final String cluster;
  private final LivenessMonitor livenessMonitor;
  private final HeartbeatLog heartbeats;
  private final OrdersBuilder orders;
  private final ReportHandler reportHandler;
  private final HostSyncs hosts;
  private final Dispatcher dispatcher;
  private final PendingSyncs pendingSyncs;
  private final StealTimer stealTimer;
  private final CoalescingLock dispatchLock = new CoalescingLock();
  private boolean checkScheduled;
  private final ReportedFailures log = new ReportedFailures();
  private final Ledger.Watch watch;
  private Instant livenessCheckedAt = Instant.EPOCH;
  private Instant nextLivenessCheck = Instant.EPOCH;

  /** When the last sync arrived. */
  private Instant lastSyncAt = Instant.EPOCH;

  ClusterSession(
      Context context,
      StallDetector detector,
      String cluster,
      String instance,
      LeaseRevoker leaseRevoker,
      LivenessMonitor livenessMonitor,
      JobCompletion jobCompletion) {
    this.context = context;
    this.cluster = cluster;
    this.livenessMonitor = livenessMonitor;
    var jobs = new JobCache(context, cluster);
    heartbeats = new HeartbeatLog(context, detector, cluster, instance);
    livenessMonitor.register(cluster, heartbeats);
    var gangCoordinator = new GangCoordinator(context);
    orders = new OrdersBuilder(context, jobs, gangCoordinator);
    var reports = new GangReportBatcher(context, cluster, gangCoordinator, jobs);
    hosts = new HostSyncs(context, heartbeats, orders, reports);
    var writer = new ReportWriter(context, leaseRevoker, jobCompletion, jobs);
    var recent = new RunningTaskDeltas(context.clock());
    reportHandler =
        new ReportHandler(
            context, cluster, heartbeats, orders, writer, leaseRevoker, reports, jobs, recent);
    dispatcher =
        new Dispatcher(
            context,
            jobs,
            orders,
            new InstanceTaskRange(
                context, () -> livenessMonitor.instanceHeartbeats(cluster), cluster, instance),
            recent);
    pendingSyncs = new PendingSyncs(cluster, reportHandler, orders, jobs);
    stealTimer = new StealTimer(context, this::dispatch);
    watch = context.ledger().watch(cluster, this::onChangeSignal);
  }

  /** See {@link SyncService#sync}. */
  void sync(SyncReport report, Consumer<SyncOrders> reply) {
    syncArrived();
    if (report.host() > 0) {
      hosts.sync(report, reply);
      checkLiveness();
      return;
    }
    var changed = pendingSyncs.changed(report.worker());
    var worker = reportHandler.handle(report);
    if (worker.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    var until =
        context.clock().instant().plus(reportHandler.waitTime(worker.get().value(), report));
    var pendingSync = new PendingSync(report, worker.get(), until, reply);
    var admitted = pendingSyncs.admit(pendingSync, changed);
    admitted.older().ifPresent(this::end);
    if (admitted.waits()) enqueue(pendingSync);
    else pendingSync.answer(orders.build(pendingSync.worker(), report));
    checkLiveness();
  }

  /**
   * While no pending sync has room for any job, there is nothing to dispatch. If the ledger cannot
   * be reached, the sync is not kept: the exception is its only answer.
   */
  private void enqueue(PendingSync pendingSync) {
    try {
      if ((pendingSyncs.allFull() || dispatch()) && pendingSync.isNew())
        settle(pendingSync, new HashMap<>());
    } catch (UnavailableException noLedger) {
      pendingSyncs.remove(pendingSync);
      if (pendingSync.claim()) throw noLedger;
    }
    if (!pendingSync.answered())
      context.executor().callAt(pendingSync.until, () -> expire(pendingSync));
  }

  private void syncArrived() {
    synchronized (this) {
      lastSyncAt = context.clock().instant();
    }
    scheduleLivenessCheck();
  }

  /**
   * Pending syncs drive liveness checks too: with few workers no other sync may arrive for long. An
   * instance that recently had a sync must prove that it keeps none.
   */
  private synchronized void scheduleLivenessCheck() {
    var over =
        ElapsedTime.hasPassed(
            lastSyncAt, context.timings().instanceGone(), context.clock().instant());
    if (checkScheduled || (over && pendingSyncs.isEmpty() && hosts.isEmpty())) return;
    checkScheduled = true;
    context.executor().callAt(livenessMonitor.next(cluster), this::livenessCheckDue);
  }

  private void livenessCheckDue() {
    checkLiveness(
        pendingSyncs.isEmpty() && hosts.isEmpty()
            ? livenessMonitor::proveIfDue
            : livenessMonitor::passIfDue);
    synchronized (this) {
      checkScheduled = false;
    }
    scheduleLivenessCheck();
  }

  /**
   * Grants what it can and answers the syncs that got work. False if another thread is dispatching:
   * that thread then runs once more for syncs that arrived in between.
   */
  private boolean dispatch() {
    if (!dispatchLock.enter()) return false;
    try {
      if (pass()) pass();
    } finally {
      pendingSyncs.passed();
      if (dispatchLock.leave())
        context.executor().callAt(context.clock().instant(), this::dispatch);
    }
    if (wantsWork()) stealTimer.start();
    return true;
  }

  /** True if a worker changed during the pass: it was read again and may get work now. */
  private boolean pass() {
    var syncs = pendingSyncs.all();
    try {
      syncs.stream().filter(PendingSync::isStale).forEach(this::refresh);
      var granted = Set.copyOf(dispatcher.dispatch(cluster, syncs));
      granted.forEach(pendingSyncs::remember);
      // One read of a job serves all syncs of a pass. It must come after the grants.
      var read = new HashMap<String, Optional<Job>>();
      for (var pendingSync : syncs)
        if (!pendingSync.isStale() && (pendingSync.isNew() || granted.contains(pendingSync)))
          settle(pendingSync, read);
      return syncs.stream().anyMatch(c -> c.isStale() && !c.answered());
    } catch (RuntimeException unknown) {
      // A grant may have been committed nevertheless: every document is read again before use.
      for (var pendingSync : syncs) {
        reportHandler.forget(pendingSync.report.worker());
        pendingSync.markStale();
      }
      if (!(unknown instanceof UnavailableException))
        failures().unexpected("dispatch in " + cluster, unknown);
      return false;
    }
  }

  /** Whether a later pass may have work for a pending sync. */
  private boolean wantsWork() {
    var syncs = pendingSyncs.all();
    try {
      return syncs.stream().anyMatch(PendingSync::isStale) || dispatcher.wantsWork(syncs);
    } catch (UnavailableException later) {
      return true;
    }
  }

  /** Answers a sync that has new orders; the others keep waiting. */
  private void settle(PendingSync pendingSync, Map<String, Optional<Job>> read) {
    if (pendingSync.answered()) return;
    reportHandler.part(pendingSync);
    var written = orders.build(pendingSync.worker(), pendingSync.report, read);
    pendingSync.markChecked();
    var over = !pendingSync.until.isAfter(context.clock().instant());
    if (orders.hasNews(written, pendingSync.report) || over) answer(pendingSync, written);
  }

  private void answer(PendingSync pendingSync, SyncOrders written) {
    // An older sync does not determine when the worker is due: a newer one is pending.
    if (pendingSyncs.remove(pendingSync))
      heartbeats.record(
          pendingSync.report.worker(),
          reportHandler.due(pendingSync.worker(), pendingSync.report, written.due()));
    pendingSync.answer(written);
  }

  private void expire(PendingSync pendingSync) {
    end(pendingSync);
    checkLiveness();
  }

  /** Answers the sync with the orders of now. */
  private void end(PendingSync pendingSync) {
    if (pendingSync.answered()) return;
    try {
      var now = pendingSync.isStale() ? read(pendingSync) : Optional.of(pendingSync.worker());
      if (now.isEmpty()) fence(pendingSync);
      else answer(pendingSync, orders.build(now.get(), pendingSync.report));
    } catch (UnavailableException noLedger) {
      answer(pendingSync, orders.unchanged(pendingSync.report));
    }
  }

  /** The sync's worker as stored; empty if the sync is fenced. */
  private Optional<Worker> read(PendingSync pendingSync) {
    orders.invalidate(pendingSync.report.worker());
    return reportHandler
        .read(pendingSync.report.worker())
        .map(VersionedDocument::value)
        .filter(w -> IncarnationCheck.of(w, pendingSync.report) != IncarnationCheck.FENCED);
  }

  private void fence(PendingSync pendingSync) {
    pendingSyncs.remove(pendingSync);
    heartbeats.forget(pendingSync.report.worker());
    pendingSync.answer(orders.fenced(pendingSync.report));
  }

  private void onChangeSignal(ChangeSignal changeSignal) {
    var changes = pendingSyncs.onChangeSignal(changeSignal);
    if (changes.work()) dispatcher.workAppeared();
    if (changes.work() || changes.changed()) dispatch();
    hosts.accept(changeSignal);
  }

  /** Reads the sync's worker again; answers the sync if it is fenced. */
  private void refresh(PendingSync pendingSync) {
    try {
      refreshed(pendingSync);
    } catch (UnreadableDocumentException unknown) {
      answer(pendingSync, orders.unchanged(pendingSync.report));
    }
  }

  private void refreshed(PendingSync pendingSync) {
    var changes = pendingSync.changes();
    orders.invalidate(pendingSync.report.worker());
    var stored = reportHandler.read(pendingSync.report.worker());
    if (stored.isEmpty()
        || IncarnationCheck.of(stored.get().value(), pendingSync.report)
            == IncarnationCheck.FENCED) {
      fence(pendingSync);
      return;
    }
    pendingSync.refresh(stored.get(), changes);
    if (PendingSyncs.overtaken(pendingSync))
      answer(pendingSync, orders.build(pendingSync.worker(), pendingSync.report));
  }

  /** A failed pass is repeated by the next sync and does not affect the agent whose sync ran it. */
  private void checkLiveness() {
    checkLiveness(livenessMonitor::passIfDue);
  }

  private void checkLiveness(Consumer<String> how) {
    if (!livenessIsDue()) return;
    failures().guard("liveness of " + cluster, () -> how.accept(cluster));
    synchronized (this) {
      livenessCheckedAt = context.clock().instant();
      nextLivenessCheck = livenessMonitor.next(cluster);
    }
  }

  private synchronized boolean livenessIsDue() {
    var now = context.clock().instant();
    return now.isBefore(livenessCheckedAt) || !now.isBefore(nextLivenessCheck);
  }

  private FailureLog failures() {
    return new FailureLog(log, context.executor(), context.clock());
  }

  @Override
  public void close() {
    watch.close();
  }
}
