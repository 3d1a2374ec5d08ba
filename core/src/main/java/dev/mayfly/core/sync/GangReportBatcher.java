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
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.SyncContext;
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
 * What hosts say of their gangs, gathered for a moment: a run is one document, and each change of
 * it is conditional on the one before. If each of h hosts changed it for itself they would need h
 * changes a phase and h² tries.
 *
 * <p>The first word is passed on at once, and what comes within the pause after that with the next.
 * The pause grows with the gang, so that an instance changes a document of 256 hosts at most once a
 * second; and with each change that others were quicker with. A word is of use once: whoever gets
 * no answer to it says it again.
 */
final class GangReportBatcher {
  private static final Duration A_HOST = Duration.ofMillis(4);
  private static final Duration MOST = Duration.ofSeconds(1);

  /** What hosts said of one lease since it was last passed on. */
  private static final class PendingReports {
    private final Map<HostId, GangReport> words = new LinkedHashMap<>();
    private Instant last = Instant.EPOCH;
    private Instant lookedAt = Instant.EPOCH;
    private Duration pause = Duration.ZERO;
    private boolean passing;
    private boolean asked;
    private int conflicts;
  }

  private final SyncContext syncContext;
  private final String cluster;
  private final GangCoordinator gangCoordinator;
  private final JobCache jobs;
  private final Map<LeaseRef, PendingReports> leases = new HashMap<>();

  GangReportBatcher(
      SyncContext syncContext, String cluster, GangCoordinator gangCoordinator, JobCache jobs) {
    this.syncContext = syncContext;
    this.cluster = cluster;
    this.gangCoordinator = gangCoordinator;
    this.jobs = jobs;
  }

  /** A host that says nothing of a gang of its worker's knows nothing of it. */
  void record(Worker worker, SyncReport report) {
    for (var held : worker.held()) {
      if (!held.gang()) continue;
      put(held.ref(), reportOf(report, held.ref()));
      pass(held.ref());
    }
  }

  /** Only the speaker's own words count, whatever host and agent they name. */
  private static GangReport reportOf(SyncReport report, LeaseRef lease) {
    var who = report.sender();
    return report.gang().stream()
        .filter(g -> g.lease().equals(lease))
        .findFirst()
        .map(g -> g.withSender(who, report.incarnation()))
        .orElseGet(() -> GangReport.unknownLease(lease, who, report.incarnation()));
  }

  private synchronized void put(LeaseRef lease, GangReport word) {
    leases.computeIfAbsent(lease, _ -> new PendingReports()).words.put(word.host(), word);
  }

  private void pass(LeaseRef lease) {
    var words = take(lease);
    if (words.isEmpty()) return;
    try {
      var outcome = gangCoordinator.applyReports(cluster, lease, words, jobs.running(lease.job()));
      passed(lease, words, outcome);
    } catch (UnavailableException unknown) {
      // It may have been written all the same; said twice it changes nothing more.
      passed(lease, words, new GangCoordinator.Outcome.Conflict());
    }
  }

  /** What is to be passed on now; nothing while a pass goes on, and until its pause is over. */
  private synchronized List<GangReport> take(LeaseRef lease) {
    var pendingReports = leases.get(lease);
    if (pendingReports == null || pendingReports.passing || pendingReports.words.isEmpty())
      return List.of();
    var now = syncContext.clock().instant();
    if (!ElapsedTime.hasPassed(pendingReports.last, pendingReports.pause, now)) {
      ask(lease, pendingReports);
      return List.of();
    }
    pendingReports.passing = true;
    var words = List.copyOf(pendingReports.words.values());
    pendingReports.words.clear();
    return words;
  }

  /**
   * Only saves time: hosts of a gang keep a call open nearly always, and where none is, the next
   * word of any of them, within a beat, passes on all that was gathered.
   */
  private void ask(LeaseRef lease, PendingReports pendingReports) {
    if (pendingReports.asked) return;
    pendingReports.asked = true;
    syncContext.alarms().callAt(pendingReports.last.plus(pendingReports.pause), () -> rang(lease));
  }

  private void rang(LeaseRef lease) {
    synchronized (this) {
      var pendingReports = leases.get(lease);
      if (pendingReports != null) pendingReports.asked = false;
    }
    pass(lease);
  }

  private void passed(LeaseRef lease, List<GangReport> words, GangCoordinator.Outcome outcome) {
    synchronized (this) {
      var pendingReports = leases.get(lease);
      if (pendingReports == null) return;
      pendingReports.passing = false;
      pendingReports.last = syncContext.clock().instant();
      switch (outcome) {
        case GangCoordinator.Outcome.Run run -> {
          pendingReports.conflicts = 0;
          pendingReports.pause = pause(run.run().members().size());
        }
        case GangCoordinator.Outcome.Conflict _ -> {
          // What came meanwhile is newer.
          words.forEach(w -> pendingReports.words.putIfAbsent(w.host(), w));
          pendingReports.pause =
              ConflictBackoff.delay(pendingReports.conflicts++, syncContext.ids());
        }
        case GangCoordinator.Outcome.Over _ -> leases.remove(lease);
      }
      if (!pendingReports.words.isEmpty()) ask(lease, pendingReports);
    }
    if (outcome instanceof GangCoordinator.Outcome.Run run) reconcileSoon(lease, run.run());
  }

  private static Duration pause(int hosts) {
    var pause = A_HOST.multipliedBy(hosts);
    return pause.compareTo(MOST) < 0 ? pause : MOST;
  }

  /**
   * The hosts that confirmed a kill speak on while the machine of another is ended: they bring the
   * rounds to look whether it is gone.
   */
  private void reconcileSoon(LeaseRef lease, GangRun run) {
    var waits =
        run.phase() instanceof GangPhase.Kill
            && run.all(m -> m.stage() == GangMemberStage.CLEAR || m.bad().isPresent());
    if (!waits) return;
    synchronized (this) {
      var pendingReports = leases.get(lease);
      var now = syncContext.clock().instant();
      if (pendingReports == null
          || !ElapsedTime.hasPassed(pendingReports.lookedAt, syncContext.rules().beat(), now))
        return;
      pendingReports.lookedAt = now;
    }
    TriggerSender.send(
        syncContext.bus(), new Trigger.Look(cluster, run.workers(), List.of(lease.job())));
  }
}
