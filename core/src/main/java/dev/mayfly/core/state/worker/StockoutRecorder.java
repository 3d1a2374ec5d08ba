package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ReturnedRoom;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.pace.LostWork;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Records stockouts and similar failures, which plans take into account. */
public final class StockoutRecorder {
  private static final int KEPT = 20;
  private static final int MAX_TRIES = 20;

  /** Machines that end within this time of each other count once. */
  private static final Duration SAME_LOSS_WITHIN = Duration.ofMinutes(1);

  private final Ledger ledger;

  public StockoutRecorder(Ledger ledger) {
    this.ledger = ledger;
  }

  public List<Instant> seen(String place, String what) {
    return new ArrayList<>(
        RebuildableDocument.read(ledger, new DocumentKey.OfStockout(place, what))
            .value()
            .map(Stockout::seen)
            .orElse(List.of()));
  }

  /**
   * @param said the cloud's own sentence; may be empty
   */
  public static LedgerWrite put(
      String place, String what, String code, String said, List<Instant> seen) {
    return new LedgerWrite.Put(stockout(place, what, code, said, seen));
  }

  private static Stockout stockout(
      String place, String what, String code, String said, List<Instant> seen) {
    var newest = seen.subList(Math.max(0, seen.size() - KEPT), seen.size());
    return new Stockout(
        place, what, code, newest, Optional.of(said).filter(text -> !text.isEmpty()));
  }

  /**
   * Stores the time unless it is recorded already: it is the same for each repeat and unique to its
   * cause. Many causes may be recorded at once and each counts; after persistent conflicts, one
   * more or less does not matter.
   */
  public void recordOnce(String place, String what, String code, Instant at) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var before = RebuildableDocument.read(ledger, new DocumentKey.OfStockout(place, what));
      var seen = before.value().map(Stockout::seen).orElse(List.of());
      if (seen.contains(at)) return;
      if (ledger.commit(List.of(before.replaceWith(more(place, what, code, seen, at)))).done())
        return;
    }
  }

  private static Stockout more(
      String place, String what, String code, List<Instant> before, Instant at) {
    var seen = new ArrayList<>(before);
    seen.add(at);
    seen.sort(null);
    return stockout(place, what, code, "", seen);
  }

  /**
   * A write for a preempted or lost worker. If that was soon after its first sync, other zones are
   * tried first, and the third such time pauses launches there; machines that end together count
   * once. Empty if there is nothing to record.
   *
   * @param now when the end was detected; a notice came before
   */
  Optional<LedgerWrite> workerEnded(Worker worker, FailureCause failureCause, Instant now) {
    if (worker.provisioning() == Provisioning.STATIC) return Optional.empty();
    if (failureCause != FailureCause.PREEMPTED && failureCause != FailureCause.LOST)
      return Optional.empty();
    var at = worker.notice().orElse(now);
    var soon =
        worker.firstSyncAt().filter(synced -> synced.plus(ZoneAvailability.SHORT_LIFE).isAfter(at));
    if (soon.isEmpty()) return Optional.empty();
    var kind = ZoneAvailability.kind(worker.provisioning(), worker.machineType());
    var taken = ZoneAvailability.shortLivedKey(kind);
    var lost = ZoneAvailability.soonLostKey(kind);
    var its = failureCause == FailureCause.PREEMPTED ? taken : lost;
    var seen = seen(worker.zone(), its);
    var other = seen(worker.zone(), its.equals(taken) ? lost : taken);
    if (Stream.concat(seen.stream(), other.stream()).anyMatch(t -> isSameTime(t, at)))
      return Optional.empty();
    return Optional.of(
        new LedgerWrite.Put(more(worker.zone(), its, failureCause.name(), seen, at)));
  }

  /**
   * A write for how much of a machine's work was lost when it ended; empty if that is not
   * remembered.
   *
   * @param worker with all of its time counted
   * @param taken whether the cloud took it back, or it was lost
   */
  Optional<LedgerWrite> lifeEnded(Worker worker, boolean taken, Instant now) {
    if (!PoolSpec.isChoice(worker.pool())) return Optional.empty();
    var before = RebuildableDocument.read(ledger, LostWork.key(worker)).value();
    var at = taken ? worker.notice().orElse(now) : now;
    return LostWork.ended(before, worker, taken, at).map(LedgerWrite.Put::new);
  }

  /**
   * A write for a machine that is proved gone: its room ends the refusals before it. Empty if an
   * earlier write speaks for it too, or if nothing shows that there ever was a machine.
   *
   * @param seen whether the cloud had it when its deletion was requested
   */
  Optional<LedgerWrite> roomReturned(Worker worker, boolean seen, Instant now) {
    if (worker.provisioning() == Provisioning.STATIC || !(seen || wasThere(worker)))
      return Optional.empty();
    var taken =
        worker.notice().isPresent()
            || (worker.state() instanceof WorkerState.Lost lost
                && lost.cause() == FailureCause.PREEMPTED);
    var key = ReturnedRoom.key(worker.provisioning(), worker.machineType(), taken);
    var before = seen(worker.zone(), key);
    if (!before.isEmpty()
        && before.getLast().plus(ReturnedRoom.SAME_RETURN_WITHIN).isAfter(now)
        && !isRefusedSince(worker, before.getLast())) return Optional.empty();
    var all = new ArrayList<>(before);
    all.add(now);
    return Optional.of(put(worker.zone(), key, taken ? "TAKEN" : "RETURNED", "", all));
  }

  private boolean isRefusedSince(Worker worker, Instant at) {
    var kind = ZoneAvailability.kind(worker.provisioning(), worker.machineType());
    return List.of(worker.zone(), StorageLocation.region(worker.zone())).stream()
        .flatMap(place -> seen(place, kind).stream())
        .anyMatch(at::isBefore);
  }

  /** An intent that was cancelled before its order has only been drained. */
  private static boolean wasThere(Worker worker) {
    return worker.instanceId().isPresent()
        || worker.incarnation().isPresent()
        || !(worker.state() instanceof WorkerState.Drained);
  }

  private static boolean isSameTime(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(SAME_LOSS_WITHIN) < 0;
  }
}
