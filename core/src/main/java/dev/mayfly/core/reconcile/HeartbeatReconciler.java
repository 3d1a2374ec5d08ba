package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.BatchSize;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a due time to workers that no function instance has one for (it died before it wrote), so
 * that their silence can be judged, and deletes what dead instances left.
 */
final class HeartbeatReconciler {
  private static final Duration STALE = Duration.ofMinutes(15);

  private final Ports ports;
  private final Timings timings;

  HeartbeatReconciler(Ports ports, Timings timings) {
    this.ports = ports;
    this.timings = timings;
  }

  void reconcile(String cluster, List<VersionedDocument<Worker>> workers, FailureLog failureLog) {
    var now = ports.clock().instant();
    Optional<VersionedDocument<Heartbeats>> ours = Optional.empty();
    var heard = new HashMap<String, Instant>();
    var ledgerWrites = new ArrayList<LedgerWrite>();
    var found = ports.ledger().query(new LedgerQuery.AllHeartbeats(cluster));
    var broken = false;
    // An instance that lives writes its own anew at once; of another nothing can be known.
    found.unreadable().forEach(failureLog::unreadable);
    for (var unknown : found.unreadable())
      if (unknown.id().equals(DueTimes.ROUNDS)) broken = true;
      else
        ledgerWrites.add(
            new LedgerWrite.Delete(new DocumentKey.OfHeartbeats(cluster, unknown.id())));
    for (var versionedDocument : found.readableOnly()) {
      var heartbeats = versionedDocument.value();
      if (heartbeats.instance().equals(DueTimes.ROUNDS)) ours = Optional.of(versionedDocument);
      else if (dead(heartbeats, now)) ledgerWrites.add(new LedgerWrite.Delete(heartbeats.key()));
      else
        heartbeats
            .due()
            .forEach((name, at) -> heard.merge(name, at, (a, b) -> a.isAfter(b) ? a : b));
    }
    var before = ours.map(b -> b.value().due()).orElse(Map.of());
    var due = unheard(workers, heard, before, now);
    if (broken || !due.equals(before))
      ledgerWrites.addFirst(
          due.isEmpty()
              ? new LedgerWrite.Delete(new DocumentKey.OfHeartbeats(cluster, DueTimes.ROUNDS))
              // Another round may be at it: of two the one that read last counts.
              : new RebuildableDocument<>(ours, broken)
                  .replaceWith(new Heartbeats(cluster, DueTimes.ROUNDS, now, due)));
    if (!ledgerWrites.isEmpty())
      ports.ledger().commit(ledgerWrites.subList(0, Math.min(ledgerWrites.size(), BatchSize.MOST)));
  }

  private static boolean dead(Heartbeats heartbeats, Instant now) {
    return heartbeats.due().values().stream().allMatch(at -> at.plus(STALE).isBefore(now))
        && heartbeats.writtenAt().plus(STALE).isBefore(now);
  }

  private Map<String, Instant> unheard(
      List<VersionedDocument<Worker>> workers,
      Map<String, Instant> heard,
      Map<String, Instant> ours,
      Instant now) {
    var due = new HashMap<String, Instant>();
    for (var versionedDocument : workers) {
      var worker = versionedDocument.value();
      if (!speaks(worker.state())) continue;
      for (var speaker : SliceHosts.speakers(worker))
        if (!inThisLife(heard.get(speaker), worker))
          due.put(speaker, ours.getOrDefault(speaker, now.plus(timings.beat())));
    }
    return due;
  }

  /** What is left of a worker's earlier life is no due time of the one that came back. */
  private static boolean inThisLife(@Nullable Instant due, Worker worker) {
    return due != null && worker.firstSyncAt().filter(first -> first.isAfter(due)).isEmpty();
  }

  private static boolean speaks(WorkerState state) {
    return state instanceof WorkerState.Ready || state instanceof WorkerState.Draining;
  }
}
