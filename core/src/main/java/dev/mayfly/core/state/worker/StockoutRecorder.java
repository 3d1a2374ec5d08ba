package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** When something went wrong somewhere: writes of the memory that plans are made with. */
public final class StockoutRecorder {
  private static final int KEPT = 20;
  private static final int TRIES = 20;

  /** Machines that end this close to each other are taken at one time. */
  private static final Duration ONE = Duration.ofMinutes(1);

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

  public static LedgerWrite put(String place, String what, String code, List<Instant> seen) {
    return new LedgerWrite.Put(stockout(place, what, code, seen));
  }

  private static Stockout stockout(String place, String what, String code, List<Instant> seen) {
    var newest = seen.subList(Math.max(0, seen.size() - KEPT), seen.size());
    return new Stockout(place, what, code, newest);
  }

  /**
   * Stores it, unless it is remembered already: the time is the same for each repeat, and its
   * alone. Many are told at once, of which each counts; should others be quicker all the time, one
   * more or less does not matter.
   */
  public void recordOnce(String place, String what, String code, Instant at) {
    for (var tries = 0; tries < TRIES; tries++) {
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
    return stockout(place, what, code, seen);
  }

  /**
   * The cloud took the machine back, or it was lost. If that was soon after it spoke, other zones
   * go first, and the third such time rests the zone; many machines that go at once are one time.
   * Empty if it is nothing to remember.
   *
   * @param now when that came out; a notice was before
   */
  Optional<LedgerWrite> workerEnded(Worker worker, FailureCause failureCause, Instant now) {
    if (worker.provisioning() == Provisioning.STATIC) return Optional.empty();
    if (failureCause != FailureCause.PREEMPTED && failureCause != FailureCause.LOST)
      return Optional.empty();
    var at = worker.notice().orElse(now);
    var soon =
        worker.firstSyncAt().filter(spoke -> spoke.plus(ZoneAvailability.SHORT_LIFE).isAfter(at));
    if (soon.isEmpty()) return Optional.empty();
    var kind =
        ZoneAvailability.shortLivedKey(
            ZoneAvailability.kind(worker.provisioning(), worker.machineType()));
    var seen = seen(worker.zone(), kind);
    if (seen.stream().anyMatch(t -> isOne(t, at))) return Optional.empty();
    return Optional.of(
        new LedgerWrite.Put(more(worker.zone(), kind, failureCause.name(), seen, at)));
  }

  private static boolean isOne(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(ONE) < 0;
  }
}
