package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.KeptAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The folders of failed attempts for which machines are kept. */
public final class KeptFolders {
  private KeptFolders() {}

  /** A worker that is kept, with the place of the folder as its agent reports it. */
  public static Worker located(Worker worker, SyncReport report) {
    var cordon = worker.cordon().filter(it -> it.kept().isPresent());
    if (cordon.isEmpty() || report.folders().isEmpty()) return worker;
    var kept = cordon.get().kept().get();
    if (kept.folder().isPresent() || kept.host() != report.host()) return worker;
    return report
        .folder(it -> it.isOf(kept))
        .map(it -> worker.withCordon(cordon.map(c -> c.at(it.path()))))
        .orElse(worker);
  }

  /**
   * Which of the folders that an agent reports it keeps. Empty, so that it deletes none, if it
   * reports none, or if a gang of the worker has ended since the worker was read: it may be kept.
   *
   * @param gang the orders that are given with it
   */
  public static Optional<List<FailedFolder>> ordered(
      Worker worker, List<GangOrder> gang, SyncReport report, Instant now) {
    var open = gang.stream().map(GangOrder::lease).toList();
    if (worker.held().stream().anyMatch(held -> held.gang() && !open.contains(held.ref())))
      return Optional.empty();
    var kept = Cordons.of(worker, now).flatMap(Cordon::kept);
    return report
        .folders()
        .map(all -> all.stream().filter(it -> kept.filter(it::isOf).isPresent()).toList());
  }

  /** Whether the worker is kept for every folder that its agent reports. */
  public static boolean keepsAll(Worker worker, SyncReport report, Instant now) {
    var kept = Cordons.of(worker, now).flatMap(Cordon::kept);
    return report.folders().stream()
        .flatMap(List::stream)
        .allMatch(it -> kept.filter(it::isOf).isPresent());
  }

  /** A worker whose agent began anew, which deletes what the one before had kept. */
  public static Worker without(Worker worker, Instant now) {
    var byHand = worker.cordon().filter(it -> !it.isByJob()).map(Cordon::withoutKept);
    return worker.counted(now).withCordon(byHand);
  }

  /** What else ends with a worker, for its event: nothing, unless it is kept. */
  public static String ends(Worker worker, Instant now) {
    return Cordons.of(worker, now)
        .flatMap(Cordon::kept)
        .map(kept -> "; it was kept " + words(kept) + ", whose folder ends with it")
        .orElse("");
  }

  /** Until when and for what. */
  public static String words(KeptAttempt kept) {
    return "until %s for task %d of job %s".formatted(kept.until(), kept.task(), kept.name());
  }
}
