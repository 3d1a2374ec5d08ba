package dev.mayfly.core.sync;

import dev.mayfly.core.dispatch.PendingSync;
import dev.mayfly.core.dispatch.RunningTaskDeltas;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.lease.LeaseParts;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.JobCache;
import dev.mayfly.core.state.worker.LeaseRevoker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Handles reports: checks the sender, stores what is new, and caches the workers' documents. */
final class ReportHandler {
  private static final int MAX_TRIES = 5;

  private final Context context;
  private final HeartbeatLog heartbeats;
  private final ReportWriter reportWriter;
  private final LeaseRevoker leaseRevoker;
  private final WorkerCache workers;
  private final GangReportBatcher gangs;
  private final ImagePins imagePins;
  private final RunningTaskDeltas recent;
  private final OrdersBuilder orders;
  private final LeaseParting leaseParting;

  ReportHandler(
      Context context,
      String cluster,
      HeartbeatLog heartbeats,
      OrdersBuilder orders,
      ReportWriter reportWriter,
      LeaseRevoker leaseRevoker,
      GangReportBatcher gangs,
      JobCache jobs,
      RunningTaskDeltas recent) {
    this.context = context;
    this.heartbeats = heartbeats;
    workers = new WorkerCache(context, cluster, orders);
    this.reportWriter = reportWriter;
    this.leaseRevoker = leaseRevoker;
    this.gangs = gangs;
    imagePins = new ImagePins(context, jobs);
    this.recent = recent;
    this.orders = orders;
    leaseParting = new LeaseParting(context, orders, this, jobs);
  }

  /** The worker with the report's changes stored; empty if the agent must kill everything. */
  Optional<VersionedDocument<Worker>> handle(SyncReport report) {
    var worker = written(report);
    worker
        .map(VersionedDocument::value)
        .filter(w -> w.inGang() && w.seq() <= report.seq())
        .ifPresent(w -> gangs.record(w, report));
    return worker;
  }

  private Optional<VersionedDocument<Worker>> written(SyncReport report) {
    try {
      return admitted(report);
    } catch (UnreadableDocumentException unknown) {
      // The machine is alive: an unreadable document must not make it lost.
      var due = context.clock().instant().plus(context.timings().syncInterval());
      heartbeats.record(report.worker(), due);
      throw unknown;
    }
  }

  private Optional<VersionedDocument<Worker>> admitted(SyncReport report) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var storedWorker = tries == 0 ? workers.get(report) : workers.read(report.worker());
      if (storedWorker.isEmpty()) return Optional.empty();
      var incarnationCheck = IncarnationCheck.of(storedWorker.get().value(), report);
      if (incarnationCheck == IncarnationCheck.FENCED) {
        handleFenced(report);
        return Optional.empty();
      }
      if (incarnationCheck == IncarnationCheck.OVERTAKEN) return storedWorker;
      // Checked against the leases it held when it reported: the same report may return them.
      if (incarnationCheck == IncarnationCheck.KNOWN && !report.images().isEmpty())
        imagePins.record(storedWorker.get().value(), report);
      var wait = waitTime(storedWorker.get().value(), report);
      var kept =
          wait.compareTo(context.timings().syncInterval()) > 0
              ? wait
              : context.timings().syncInterval();
      heartbeats.record(report.worker(), context.clock().instant().plus(kept));
      var written = write(storedWorker.get(), report, incarnationCheck);
      if (written.isPresent()) return written;
    }
    throw new UnavailableException(
        "worker " + report.worker() + " is being changed concurrently; retry");
  }

  /**
   * How long a sync may be kept: at most a sync interval while there is work to lose, so that
   * silence is noticed soon enough to run it elsewhere.
   */
  Duration waitTime(Worker worker, SyncReport report) {
    var requested = Duration.ofSeconds(Math.max(0, report.waitSeconds()));
    var idle = worker.held().isEmpty() && report.leases().isEmpty();
    var most = idle ? context.timings().maxWait() : context.timings().syncInterval();
    return requested.compareTo(most) < 0 ? requested : most;
  }

  /**
   * The worker's due time. An instance that is suspended and unknown to the others may keep its
   * next sync as long as this one, so it could not report sooner.
   */
  Instant due(Worker worker, SyncReport report, Instant ordered) {
    // A worker that returned all its leases with this sync waits as an idle one with the next.
    var idle = worker.held().isEmpty() && !report.leases().isEmpty();
    var wait = idle ? context.timings().maxWait() : waitTime(worker, report);
    var kept = context.clock().instant().plus(wait);
    return kept.isAfter(ordered) ? kept : ordered;
  }

  private Optional<VersionedDocument<Worker>> write(
      VersionedDocument<Worker> storedWorker,
      SyncReport report,
      IncarnationCheck incarnationCheck) {
    try {
      var parts = LeaseParts.apart(storedWorker.value(), report);
      var written = reportWriter.write(storedWorker, parts, incarnationCheck);
      // A cached document that was only used keeps its age and is read again in time.
      written
          .filter(w -> !w.version().equals(storedWorker.version()))
          .ifPresent(w -> {
            recent.record(storedWorker.value(), w.value());
            remember(w);
          });
      return written;
    } catch (UnavailableException unknown) {
      workers.forget(report.worker());
      throw unknown;
    }
  }

  /**
   * The worker was given up. Once it reports that nothing runs, work that must not run twice may
   * continue elsewhere.
   */
  private void handleFenced(SyncReport report) {
    var storedWorker = workers.read(report.worker());
    if (storedWorker.isEmpty() || !(storedWorker.get().value().state() instanceof WorkerState.Lost))
      return;
    heartbeats.forget(report.worker());
    if (storedWorker.get().value().held().isEmpty()) return;
    if (released(report).containsAll(WorkerCache.refs(storedWorker.get().value())))
      leaseRevoker.stopConfirmed(storedWorker.get(), FailureCause.LOST);
  }

  /**
   * Leases that provably do not run. A lease missing from a report proves nothing: the report may
   * be older than the lease, or from another agent start.
   */
  private static Set<LeaseRef> released(SyncReport report) {
    return report.leases().stream()
        .filter(SyncReport.Lease::released)
        .map(SyncReport.Lease::ref)
        .collect(Collectors.toSet());
  }

  /** Cuts its leases where a user retried a task that its agent is through with. */
  void part(PendingSync pendingSync) {
    var worker = pendingSync.worker();
    var again = OutrankedTasks.goingBack(worker, orders.retried(worker));
    if (!again.isEmpty()) leaseParting.part(pendingSync, again);
  }

  /** This instance wrote the worker's leases otherwise than by a report. */
  void written(VersionedDocument<Worker> before, VersionedDocument<Worker> after) {
    recent.record(before.value(), after.value());
    remember(after);
  }

  Optional<VersionedDocument<Worker>> read(String worker) {
    return workers.read(worker);
  }

  void remember(VersionedDocument<Worker> storedWorker) {
    workers.remember(storedWorker.value().name(), storedWorker);
  }

  void forget(String worker) {
    workers.forget(worker);
  }
}
