package dev.mayfly.core.sync;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.state.ConflictBackoff;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.GangCoordinator;
import dev.mayfly.core.state.job.JobCache;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Batches what hosts report of their gangs. A run is one document, and each change of it is
 * conditional on the previous one: if each of h hosts changed it separately, a phase would need h
 * changes and h² tries.
 *
 * <p>The first report is applied at once; reports that arrive during the pause after it are applied
 * together. The pause grows with the gang, so that an instance changes a document of 256 hosts at
 * most once a second, and with each conflict. A report is applied once; an agent that gets no
 * answer repeats it.
 */
final class GangReportBatcher {
  private static final Duration PAUSE_PER_HOST = Duration.ofMillis(4);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

  /** What hosts reported of one lease since reports were last applied. */
  private static final class PendingReports {
    private final Map<HostId, GangReport> reports = new LinkedHashMap<>();
    private Instant last = Instant.EPOCH;
    private Instant reconciledAt = Instant.EPOCH;
    private Duration pause = Duration.ZERO;
    private boolean applying;
    private boolean scheduled;
    private int conflicts;
  }

  private final Context context;
  private final String cluster;
  private final GangCoordinator gangCoordinator;
  private final JobCache jobs;
  private final Map<LeaseRef, PendingReports> leases = new HashMap<>();

  GangReportBatcher(
      Context context, String cluster, GangCoordinator gangCoordinator, JobCache jobs) {
    this.context = context;
    this.cluster = cluster;
    this.gangCoordinator = gangCoordinator;
    this.jobs = jobs;
  }

  /** A host that does not report a gang of its worker does not know it. */
  void record(Worker worker, SyncReport report) {
    for (var held : worker.held()) {
      if (!held.gang()) continue;
      put(held.ref(), reportOf(report, held.ref()));
      apply(held.ref());
    }
  }

  /** The report counts for its sender only, whatever host and agent it names. */
  private static GangReport reportOf(SyncReport report, LeaseRef lease) {
    var sender = report.sender();
    return report.gang().stream()
        .filter(g -> g.lease().equals(lease))
        .findFirst()
        .map(g -> g.withSender(sender, report.incarnation()))
        .orElseGet(() -> GangReport.unknownLease(lease, sender, report.incarnation()));
  }

  private synchronized void put(LeaseRef lease, GangReport gangReport) {
    leases
        .computeIfAbsent(lease, _ -> new PendingReports())
        .reports
        .put(gangReport.host(), gangReport);
  }

  private void apply(LeaseRef lease) {
    var reports = take(lease);
    if (reports.isEmpty()) return;
    try {
      var outcome =
          gangCoordinator.applyReports(cluster, lease, reports, jobs.running(lease.job()));
      applied(lease, reports, outcome);
    } catch (UnavailableException unknown) {
      // It may have been stored nevertheless; repeating it changes nothing.
      applied(lease, reports, new GangCoordinator.Outcome.Conflict());
    }
  }

  /** The reports to apply now; none while others are being applied or during the pause. */
  private synchronized List<GangReport> take(LeaseRef lease) {
    var pendingReports = leases.get(lease);
    if (pendingReports == null || pendingReports.applying || pendingReports.reports.isEmpty())
      return List.of();
    var now = context.clock().instant();
    if (!ElapsedTime.hasPassed(pendingReports.last, pendingReports.pause, now)) {
      schedule(lease, pendingReports);
      return List.of();
    }
    pendingReports.applying = true;
    var reports = List.copyOf(pendingReports.reports.values());
    pendingReports.reports.clear();
    return reports;
  }

  /**
   * This only saves time: hosts of a gang nearly always have a pending sync, and otherwise the next
   * report of any of them, within a sync interval, applies all that is batched.
   */
  private void schedule(LeaseRef lease, PendingReports pendingReports) {
    if (pendingReports.scheduled) return;
    pendingReports.scheduled = true;
    context
        .executor()
        .callAt(pendingReports.last.plus(pendingReports.pause), () -> pauseOver(lease));
  }

  private void pauseOver(LeaseRef lease) {
    synchronized (this) {
      var pendingReports = leases.get(lease);
      if (pendingReports != null) pendingReports.scheduled = false;
    }
    apply(lease);
  }

  private void applied(LeaseRef lease, List<GangReport> reports, GangCoordinator.Outcome outcome) {
    synchronized (this) {
      var pendingReports = leases.get(lease);
      if (pendingReports == null) return;
      pendingReports.applying = false;
      pendingReports.last = context.clock().instant();
      switch (outcome) {
        case GangCoordinator.Outcome.Run run -> {
          pendingReports.conflicts = 0;
          pendingReports.pause = pause(run.run().members().size());
        }
        case GangCoordinator.Outcome.Conflict _ -> {
          // Reports that arrived during the attempt are newer.
          reports.forEach(w -> pendingReports.reports.putIfAbsent(w.host(), w));
          pendingReports.pause = ConflictBackoff.delay(pendingReports.conflicts++, context.ids());
        }
        case GangCoordinator.Outcome.Over _ -> leases.remove(lease);
      }
      if (!pendingReports.reports.isEmpty()) schedule(lease, pendingReports);
    }
    if (outcome instanceof GangCoordinator.Outcome.Run run) reconcileSoon(lease, run.run());
  }

  private static Duration pause(int hosts) {
    var pause = PAUSE_PER_HOST.multipliedBy(hosts);
    return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
  }

  /**
   * Hosts that confirmed a kill keep reporting while another host's machine is being deleted: their
   * reports trigger a reconcile, which checks whether it is gone.
   */
  private void reconcileSoon(LeaseRef lease, GangRun run) {
    var waits =
        run.phase() instanceof GangPhase.Kill
            && run.all(m -> m.stage() == GangMemberStage.CLEAR || m.bad().isPresent());
    if (!waits) return;
    synchronized (this) {
      var pendingReports = leases.get(lease);
      var now = context.clock().instant();
      if (pendingReports == null
          || !ElapsedTime.hasPassed(
              pendingReports.reconciledAt, context.timings().syncInterval(), now)) return;
      pendingReports.reconciledAt = now;
    }
    TriggerSender.send(
        context.bus(), new Trigger.Reconcile(cluster, run.workers(), List.of(lease.job())));
  }
}
