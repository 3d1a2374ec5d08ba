package dev.mayfly.sim.observation;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fake.SimLedger;
import java.util.Map;
import java.util.TreeMap;

/** Which function instance has the newest report of a host. */
final class ReportTakers {
  private record Taken(long seq, DocumentKey.OfHeartbeats by) {}

  private final SimTime time;
  private final SimLedger ledger;
  private final Map<String, Taken> takers = new TreeMap<>();

  ReportTakers(SimTime time, SimLedger ledger) {
    this.time = time;
    this.ledger = ledger;
  }

  /**
   * An instance has the report.
   *
   * @param host the worker's name, in a slice {@code /HOST}
   */
  void taken(String host, long seq, DocumentKey.OfHeartbeats taker) {
    takers.put(host, new Taken(seq, taker));
  }

  /** Nobody has the report any more: its call has ended. A younger one may be open. */
  void ended(String host, long seq) {
    takers.computeIfPresent(host, (_, taken) -> taken.seq() == seq ? null : taken);
  }

  /**
   * Whether a report of it is with an instance that stalled before it had written anything of the
   * cluster, or so long after it that it counts as gone: the others cannot know that it holds this
   * report (decision 63).
   */
  boolean unanswerable(String worker) {
    var gone = time.instant().minus(Timings.DEFAULT.instanceGone());
    return takers.entrySet().stream()
        .filter(taker -> taker.getKey().equals(worker) || taker.getKey().startsWith(worker + "/"))
        .anyMatch(taker ->
            ledger
                .readSpoiled(taker.getValue().by())
                .filter(it -> it.value().writtenAt().isAfter(gone))
                .isEmpty());
  }
}
