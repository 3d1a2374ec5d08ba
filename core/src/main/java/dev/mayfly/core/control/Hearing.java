package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Hears reports: admits who speaks, writes down what is new, and remembers the workers' documents.
 */
final class Hearing {
  private static final int TRIES = 5;

  private final Deck deck;
  private final BeatBook beats;
  private final News news;
  private final Losses losses;
  private final WorkerCache workers;
  private final GangReports gangs;
  private final ImageTags tags;
  private final RecentLeases recent;

  Hearing(
      Deck deck,
      String cluster,
      BeatBook beats,
      OrdersWriter orders,
      News news,
      Losses losses,
      GangReports gangs,
      JobCache jobs,
      RecentLeases recent) {
    this.deck = deck;
    this.beats = beats;
    workers = new WorkerCache(deck, cluster, orders);
    this.news = news;
    this.losses = losses;
    this.gangs = gangs;
    tags = new ImageTags(deck, jobs);
    this.recent = recent;
  }

  /** The worker with the report's news written down; empty for one that is to kill everything. */
  Optional<Stored<Worker>> hear(SyncReport report) {
    var heard = written(report);
    heard.filter(w -> inGang(w.value(), report)).ifPresent(w -> gangs.heard(w.value(), report));
    return heard;
  }

  private static boolean inGang(Worker worker, SyncReport report) {
    return worker.seq() <= report.seq() && worker.held().stream().anyMatch(Worker.Held::gang);
  }

  private Optional<Stored<Worker>> written(SyncReport report) {
    try {
      return admitted(report);
    } catch (Unreadable unknown) {
      // The machine speaks: it is not lost for what somebody did to a document.
      beats.due(report.worker(), deck.clock().instant().plus(deck.rules().beat()));
      throw unknown;
    }
  }

  private Optional<Stored<Worker>> admitted(SyncReport report) {
    for (var tries = 0; tries < TRIES; tries++) {
      var stored = tries == 0 ? workers.seen(report) : workers.read(report.worker());
      if (stored.isEmpty()) return Optional.empty();
      var admission = Admission.of(stored.get().value(), report);
      if (admission == Admission.FENCED) {
        fence(report);
        return Optional.empty();
      }
      if (admission == Admission.OVERTAKEN) return stored;
      // By what it held when it spoke: the same report may give that back.
      if (admission == Admission.KNOWN) tags.heard(stored.get().value(), report);
      var wait = wait(stored.get().value(), report);
      var kept = wait.compareTo(deck.rules().beat()) > 0 ? wait : deck.rules().beat();
      beats.due(report.worker(), deck.clock().instant().plus(kept));
      var written = write(stored.get(), report, admission);
      if (written.isPresent()) return written;
    }
    throw new Unavailable("worker " + report.worker() + " is being changed by others; call again");
  }

  /**
   * For how long a call may be kept: a beat where there is work to lose, so that a silence is
   * noticed soon enough for it to run elsewhere.
   */
  Duration wait(Worker worker, SyncReport report) {
    var asked = Duration.ofSeconds(Math.max(0, report.waitSeconds()));
    var idle = worker.held().isEmpty() && report.leases().isEmpty();
    var most = idle ? deck.rules().maxWait() : deck.rules().beat();
    return asked.compareTo(most) < 0 ? asked : most;
  }

  private Optional<Stored<Worker>> write(
      Stored<Worker> stored, SyncReport report, Admission admission) {
    try {
      var written = news.write(stored, report, admission);
      written.ifPresent(w -> recent.wrote(stored.value(), w.value()));
      // What came from the cache is no younger for having been used: it is read again in time.
      written.filter(w -> !w.version().equals(stored.version())).ifPresent(this::remember);
      return written;
    } catch (Unavailable unknown) {
      workers.forget(report.worker());
      throw unknown;
    }
  }

  /**
   * It was given up. Once it says that nothing runs, work that must not run twice may go on
   * elsewhere.
   */
  private void fence(SyncReport report) {
    var stored = workers.read(report.worker());
    if (stored.isEmpty() || !(stored.get().value().state() instanceof WorkerState.Lost)) return;
    beats.forget(report.worker());
    if (stored.get().value().held().isEmpty()) return;
    if (released(report).containsAll(WorkerCache.refs(stored.get().value())))
      losses.confirmed(stored.get(), Cause.LOST);
  }

  /**
   * What is proved not to run. A lease that a report does not name proves nothing: the report may
   * be late, from before the lease was known there, or another start's.
   */
  private static Set<LeaseRef> released(SyncReport report) {
    return report.leases().stream()
        .filter(SyncReport.Lease::released)
        .map(SyncReport.Lease::ref)
        .collect(Collectors.toSet());
  }

  Optional<Stored<Worker>> read(String worker) {
    return workers.read(worker);
  }

  void remember(Stored<Worker> stored) {
    workers.remember(stored.value().name(), stored);
  }

  void forget(String worker) {
    workers.forget(worker);
  }
}
