package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.GangPhase;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
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
final class GangReports {
  private static final Duration A_HOST = Duration.ofMillis(4);
  private static final Duration MOST = Duration.ofSeconds(1);

  /** What hosts said of one lease since it was last passed on. */
  private static final class Gathered {
    private final Map<HostId, HostReport> words = new LinkedHashMap<>();
    private Instant last = Instant.EPOCH;
    private Instant lookedAt = Instant.EPOCH;
    private Duration pause = Duration.ZERO;
    private boolean passing;
    private boolean asked;
    private int conflicts;
  }

  private final Deck deck;
  private final String cluster;
  private final Gangs gangs;
  private final JobCache jobs;
  private final Map<LeaseRef, Gathered> leases = new HashMap<>();

  GangReports(Deck deck, String cluster, Gangs gangs, JobCache jobs) {
    this.deck = deck;
    this.cluster = cluster;
    this.gangs = gangs;
    this.jobs = jobs;
  }

  /** A host that says nothing of a gang of its worker's knows nothing of it. */
  void heard(Worker worker, SyncReport report) {
    for (var held : worker.held()) {
      if (!held.gang()) continue;
      put(held.ref(), said(report, held.ref()));
      pass(held.ref());
    }
  }

  /** Only the speaker's own words count, whatever host and agent they name. */
  private static HostReport said(SyncReport report, LeaseRef lease) {
    var who = report.speaker();
    return report.gang().stream()
        .filter(g -> g.lease().equals(lease))
        .findFirst()
        .map(g -> g.by(who, report.incarnation()))
        .orElseGet(() -> HostReport.unknowing(lease, who, report.incarnation()));
  }

  private synchronized void put(LeaseRef lease, HostReport word) {
    leases.computeIfAbsent(lease, _ -> new Gathered()).words.put(word.host(), word);
  }

  private void pass(LeaseRef lease) {
    var words = take(lease);
    if (words.isEmpty()) return;
    try {
      var told = gangs.heard(cluster, lease, words, jobs.running(lease.job()));
      passed(lease, words, told);
    } catch (Unavailable unknown) {
      // It may have been written all the same; said twice it changes nothing more.
      passed(lease, words, new Gangs.Told.Conflict());
    }
  }

  /** What is to be passed on now; nothing while a pass goes on, and until its pause is over. */
  private synchronized List<HostReport> take(LeaseRef lease) {
    var gathered = leases.get(lease);
    if (gathered == null || gathered.passing || gathered.words.isEmpty()) return List.of();
    var now = deck.clock().instant();
    if (!Pause.over(gathered.last, gathered.pause, now)) {
      ask(lease, gathered);
      return List.of();
    }
    gathered.passing = true;
    var words = List.copyOf(gathered.words.values());
    gathered.words.clear();
    return words;
  }

  /**
   * Only saves time: hosts of a gang keep a call open nearly always, and where none is, the next
   * word of any of them, within a beat, passes on all that was gathered.
   */
  private void ask(LeaseRef lease, Gathered gathered) {
    if (gathered.asked) return;
    gathered.asked = true;
    deck.alarms().at(gathered.last.plus(gathered.pause), () -> rang(lease));
  }

  private void rang(LeaseRef lease) {
    synchronized (this) {
      var gathered = leases.get(lease);
      if (gathered != null) gathered.asked = false;
    }
    pass(lease);
  }

  private void passed(LeaseRef lease, List<HostReport> words, Gangs.Told told) {
    synchronized (this) {
      var gathered = leases.get(lease);
      if (gathered == null) return;
      gathered.passing = false;
      gathered.last = deck.clock().instant();
      switch (told) {
        case Gangs.Told.Run run -> {
          gathered.conflicts = 0;
          gathered.pause = pause(run.run().members().size());
        }
        case Gangs.Told.Conflict _ -> {
          // What came meanwhile is newer.
          words.forEach(w -> gathered.words.putIfAbsent(w.host(), w));
          gathered.pause = ConflictPause.after(gathered.conflicts++, deck.ids());
        }
        case Gangs.Told.Over _ -> leases.remove(lease);
      }
      if (!gathered.words.isEmpty()) ask(lease, gathered);
    }
    if (told instanceof Gangs.Told.Run run) hurry(lease, run.run());
  }

  private static Duration pause(int hosts) {
    var pause = A_HOST.multipliedBy(hosts);
    return pause.compareTo(MOST) < 0 ? pause : MOST;
  }

  /**
   * The hosts that confirmed a kill speak on while the machine of another is ended: they bring the
   * rounds to look whether it is gone.
   */
  private void hurry(LeaseRef lease, GangRun run) {
    var waits =
        run.phase() instanceof GangPhase.Kill
            && run.all(m -> m.stage() == GangStage.CLEAR || m.bad().isPresent());
    if (!waits) return;
    synchronized (this) {
      var gathered = leases.get(lease);
      var now = deck.clock().instant();
      if (gathered == null || !Pause.over(gathered.lookedAt, deck.rules().beat(), now)) return;
      gathered.lookedAt = now;
    }
    Hints.send(deck.bus(), new Hint.Look(cluster, run.workers(), List.of(lease.job())));
  }
}
