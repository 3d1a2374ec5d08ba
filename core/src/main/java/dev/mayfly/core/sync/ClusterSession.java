package dev.mayfly.core.sync;

import dev.mayfly.core.dispatch.Dispatcher;
import dev.mayfly.core.dispatch.InstancePartition;
import dev.mayfly.core.dispatch.PendingSync;
import dev.mayfly.core.dispatch.RunningTaskDeltas;
import dev.mayfly.core.dispatch.StealTimer;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.SyncContext;
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
 * One cluster's calls at one instance: those that wait, and what is remembered for all of them.
 *
 * <p>One pass at a time deals work to the calls that wait; whoever comes meanwhile leaves its call
 * to the next. The lock guards what is remembered, and is held over no call of the ledger's and no
 * answer: whoever is answered may call at once.
 */
final class ClusterSession implements AutoCloseable {
  private final SyncContext syncContext;
  private final String cluster;
  private final LivenessMonitor livenessMonitor;
  private final HeartbeatLog beats;
  private final OrdersBuilder orders;
  private final ReportHandler reportHandler;
  private final HostSyncs hosts;
  private final Dispatcher dispatcher;
  private final PendingSyncs pendingSyncs;
  private final StealTimer stealing;
  private final CoalescingLock gate = new CoalescingLock();
  private boolean looking;
  private final ReportedFailures log = new ReportedFailures();
  private final Ledger.Watch watch;

  /** When a call came last. */
  private Instant called = Instant.EPOCH;

  ClusterSession(
      SyncContext syncContext,
      StallDetector detector,
      String cluster,
      String instance,
      LeaseRevoker leaseRevoker,
      LivenessMonitor livenessMonitor,
      JobCompletion jobCompletion) {
    this.syncContext = syncContext;
    this.cluster = cluster;
    this.livenessMonitor = livenessMonitor;
    var jobs =
        new JobCache(syncContext.ledger(), syncContext.clock(), syncContext.rules(), cluster);
    beats = new HeartbeatLog(syncContext, detector, cluster, instance);
    livenessMonitor.register(cluster, beats);
    var gangCoordinator =
        new GangCoordinator(syncContext.ledger(), syncContext.bus(), syncContext.clock());
    orders = new OrdersBuilder(syncContext, jobs, gangCoordinator);
    var reports = new GangReportBatcher(syncContext, cluster, gangCoordinator, jobs);
    hosts = new HostSyncs(syncContext, beats, orders, reports);
    var reportWriter = new ReportWriter(syncContext, leaseRevoker, jobCompletion, jobs);
    var recent = new RunningTaskDeltas(syncContext.clock());
    reportHandler =
        new ReportHandler(
            syncContext, cluster, beats, orders, reportWriter, leaseRevoker, reports, jobs, recent);
    dispatcher =
        new Dispatcher(
            syncContext,
            jobs,
            orders,
            new InstancePartition(
                syncContext, () -> livenessMonitor.instanceHeartbeats(cluster), cluster, instance),
            recent);
    pendingSyncs = new PendingSyncs(cluster, reportHandler, orders, jobs);
    stealing = new StealTimer(syncContext, this::dispatch);
    watch = syncContext.ledger().watch(cluster, this::onChangeSignal);
  }

  /** See {@link SyncService#sync}. */
  void sync(SyncReport report, Consumer<SyncOrders> reply) {
    called();
    if (report.host() > 0) {
      hosts.sync(report, reply);
      checkLiveness();
      return;
    }
    var changed = pendingSyncs.changed(report.worker());
    var heard = reportHandler.handle(report);
    if (heard.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    var until =
        syncContext.clock().instant().plus(reportHandler.waitTime(heard.get().value(), report));
    var pendingSync = new PendingSync(report, heard.get(), until, reply);
    var admitted = pendingSyncs.admit(pendingSync, changed);
    admitted.older().ifPresent(this::end);
    if (admitted.waits()) take(pendingSync);
    else pendingSync.answer(orders.build(pendingSync.worker(), report));
    checkLiveness();
  }

  /** If the ledger can't be reached the call is not kept: nothing answers it but the exception. */
  private void take(PendingSync pendingSync) {
    try {
      if (dispatch() && pendingSync.isNew()) settle(pendingSync, new HashMap<>());
    } catch (UnavailableException noLedger) {
      pendingSyncs.remove(pendingSync);
      if (pendingSync.claim()) throw noLedger;
    }
    if (!pendingSync.answered())
      syncContext.alarms().callAt(pendingSync.until, () -> expire(pendingSync));
  }

  private void called() {
    synchronized (this) {
      called = syncContext.clock().instant();
    }
    scheduleLivenessCheck();
  }

  /**
   * Calls that wait judge too: with few workers nobody else may call for long. And whoever had a
   * call a short while ago has to prove that it keeps none.
   */
  private synchronized void scheduleLivenessCheck() {
    var over =
        ElapsedTime.hasPassed(
            called, syncContext.rules().instanceGone(), syncContext.clock().instant());
    if (looking || (over && pendingSyncs.isEmpty() && hosts.isEmpty())) return;
    looking = true;
    syncContext.alarms().callAt(livenessMonitor.next(cluster), this::livenessCheckDue);
  }

  private void livenessCheckDue() {
    checkLiveness(
        pendingSyncs.isEmpty() && hosts.isEmpty()
            ? livenessMonitor::proveIfDue
            : livenessMonitor::passIfDue);
    synchronized (this) {
      looking = false;
    }
    scheduleLivenessCheck();
  }

  /**
   * Grants what can be granted, and answers the calls that got something. False if another thread
   * does so now: then it is done once more for what came meanwhile.
   */
  private boolean dispatch() {
    if (!gate.enter()) return false;
    try {
      if (pass()) pass();
    } finally {
      if (gate.leave()) syncContext.alarms().callAt(syncContext.clock().instant(), this::dispatch);
    }
    if (wantsWork()) stealing.start();
    return true;
  }

  /** True if a worker was changed meanwhile: it was read again, and may get something now. */
  private boolean pass() {
    var calls = pendingSyncs.all();
    try {
      calls.stream().filter(PendingSync::isStale).forEach(this::refresh);
      var granted = Set.copyOf(dispatcher.dispatch(cluster, calls));
      granted.forEach(pendingSyncs::remember);
      // One read of a job is enough for all calls of a pass: it comes after the grants.
      var read = new HashMap<String, Optional<Job>>();
      for (var pendingSync : calls)
        if (!pendingSync.isStale() && (pendingSync.isNew() || granted.contains(pendingSync)))
          settle(pendingSync, read);
      return calls.stream().anyMatch(c -> c.isStale() && !c.answered());
    } catch (RuntimeException unknown) {
      // A grant may have been written all the same: every document is read again before use.
      for (var pendingSync : calls) {
        reportHandler.forget(pendingSync.report.worker());
        pendingSync.markStale();
      }
      if (!(unknown instanceof UnavailableException))
        troubles().unexpected("granting in " + cluster, unknown);
      return false;
    }
  }

  /** Whether a call waits that another pass, some time later, may have something for. */
  private boolean wantsWork() {
    var calls = pendingSyncs.all();
    try {
      return calls.stream().anyMatch(PendingSync::isStale) || dispatcher.wantsWork(calls);
    } catch (UnavailableException later) {
      return true;
    }
  }

  /** Answers a call that has news; the others wait. */
  private void settle(PendingSync pendingSync, Map<String, Optional<Job>> read) {
    if (pendingSync.answered()) return;
    var written = orders.build(pendingSync.worker(), pendingSync.report, read);
    pendingSync.markChecked();
    var over = !pendingSync.until.isAfter(syncContext.clock().instant());
    if (orders.hasNews(written, pendingSync.report) || over) answer(pendingSync, written);
  }

  private void answer(PendingSync pendingSync, SyncOrders written) {
    // An older call says nothing of when the worker speaks: a newer one of it is kept waiting.
    if (pendingSyncs.remove(pendingSync))
      beats.record(pendingSync.report.worker(), due(pendingSync, written.due()));
    pendingSync.answer(written);
  }

  /**
   * When it is silent if it has not spoken. Its next call may be kept for as long as this one was
   * to be, by an instance that stands still and that nobody knows of: then it could not speak
   * sooner.
   */
  private Instant due(PendingSync pendingSync, Instant ordered) {
    // Whoever gave everything back with this call waits as an idle worker with the next.
    var idle = pendingSync.worker().held().isEmpty() && !pendingSync.report.leases().isEmpty();
    var wait =
        idle
            ? syncContext.rules().maxWait()
            : reportHandler.waitTime(pendingSync.worker(), pendingSync.report);
    var kept = syncContext.clock().instant().plus(wait);
    return kept.isAfter(ordered) ? kept : ordered;
  }

  private void expire(PendingSync pendingSync) {
    end(pendingSync);
    checkLiveness();
  }

  /** Answers the call with what there is to say now. */
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

  /** The call's worker as it is stored; empty if the call has no say any more. */
  private Optional<Worker> read(PendingSync pendingSync) {
    orders.invalidate(pendingSync.report.worker());
    return reportHandler
        .read(pendingSync.report.worker())
        .map(VersionedDocument::value)
        .filter(w -> IncarnationCheck.of(w, pendingSync.report) != IncarnationCheck.FENCED);
  }

  private void fence(PendingSync pendingSync) {
    pendingSyncs.remove(pendingSync);
    beats.forget(pendingSync.report.worker());
    pendingSync.answer(orders.fenced(pendingSync.report));
  }

  private void onChangeSignal(ChangeSignal changeSignal) {
    var changes = pendingSyncs.onChangeSignal(changeSignal);
    if (changes.work()) dispatcher.workAppeared();
    if (changes.work() || changes.changed()) dispatch();
    hosts.accept(changeSignal);
  }

  /** Reads the call's worker again, and answers the call if it has no say any more. */
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
    var versionedDocument = reportHandler.read(pendingSync.report.worker());
    if (versionedDocument.isEmpty()
        || IncarnationCheck.of(versionedDocument.get().value(), pendingSync.report)
            == IncarnationCheck.FENCED) {
      fence(pendingSync);
      return;
    }
    pendingSync.refresh(versionedDocument.get(), changes);
    if (PendingSyncs.overtaken(pendingSync))
      answer(pendingSync, orders.build(pendingSync.worker(), pendingSync.report));
  }

  /**
   * A pass that fails is made again by the next call; it is no affair of the agent whose call made
   * it.
   */
  private void checkLiveness() {
    checkLiveness(livenessMonitor::passIfDue);
  }

  private void checkLiveness(Consumer<String> how) {
    troubles().guard("judging " + cluster, () -> how.accept(cluster));
  }

  private FailureLog troubles() {
    return new FailureLog(log, syncContext.alarms(), syncContext.clock());
  }

  @Override
  public void close() {
    watch.close();
  }
}
