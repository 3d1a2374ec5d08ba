package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.RebuildableDocument;
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
 * Gives a due time to workers that no instance has one for (it died before it wrote), so that their
 * liveness can be checked, and deletes documents of dead instances.
 */
final class HeartbeatReconciler {
  private static final Duration STALE = Duration.ofMinutes(15);

  private final Context context;

  HeartbeatReconciler(Context context) {
    this.context = context;
  }

  void reconcile(String cluster, List<VersionedDocument<Worker>> workers, FailureLog failureLog) {
    var now = context.clock().instant();
    Optional<VersionedDocument<Heartbeats>> ours = Optional.empty();
    var reportedDue = new HashMap<String, Instant>();
    var ledgerWrites = new ArrayList<LedgerWrite>();
    var found = context.ledger().query(new LedgerQuery.AllHeartbeats(cluster));
    var broken = false;
    // A live instance rewrites its own document at once; a dead one's is useless.
    found.unreadable().forEach(failureLog::unreadable);
    for (var unknown : found.unreadable())
      if (unknown.id().equals(DueTimes.ROUNDS)) broken = true;
      else
        ledgerWrites.add(
            new LedgerWrite.Delete(new DocumentKey.OfHeartbeats(cluster, unknown.id())));
    for (var stored : found.readableOnly()) {
      var heartbeats = stored.value();
      if (heartbeats.instance().equals(DueTimes.ROUNDS)) ours = Optional.of(stored);
      else if (dead(heartbeats, now)) ledgerWrites.add(new LedgerWrite.Delete(heartbeats.key()));
      else
        heartbeats
            .due()
            .forEach((name, at) -> reportedDue.merge(name, at, (a, b) -> a.isAfter(b) ? a : b));
    }
    var before = ours.map(b -> b.value().due()).orElse(Map.of());
    var due = missing(workers, reportedDue, before, now);
    if (broken || !due.equals(before))
      ledgerWrites.addFirst(
          due.isEmpty()
              ? new LedgerWrite.Delete(new DocumentKey.OfHeartbeats(cluster, DueTimes.ROUNDS))
              // A concurrent reconcile may write too: the one that read last wins.
              : new RebuildableDocument<>(ours, broken)
                  .replaceWith(new Heartbeats(cluster, DueTimes.ROUNDS, now, due)));
    if (!ledgerWrites.isEmpty())
      context
          .ledger()
          .commit(ledgerWrites.subList(0, Math.min(ledgerWrites.size(), BatchSize.MAX_WRITES)));
  }

  private static boolean dead(Heartbeats heartbeats, Instant now) {
    return heartbeats.due().values().stream().allMatch(at -> at.plus(STALE).isBefore(now))
        && heartbeats.writtenAt().plus(STALE).isBefore(now);
  }

  private Map<String, Instant> missing(
      List<VersionedDocument<Worker>> workers,
      Map<String, Instant> reportedDue,
      Map<String, Instant> ours,
      Instant now) {
    var due = new HashMap<String, Instant>();
    for (var storedWorker : workers) {
      var worker = storedWorker.value();
      if (!mustReport(worker.state())) continue;
      for (var sender : SliceHosts.hostNames(worker))
        if (!sinceFirstSync(reportedDue.get(sender), worker))
          due.put(sender, ours.getOrDefault(sender, now.plus(context.timings().syncInterval())));
    }
    return due;
  }

  /** A due time from before a returned worker was lost does not count. */
  private static boolean sinceFirstSync(@Nullable Instant due, Worker worker) {
    return due != null && worker.firstSyncAt().filter(first -> first.isAfter(due)).isEmpty();
  }

  private static boolean mustReport(WorkerState state) {
    return state instanceof WorkerState.Ready || state instanceof WorkerState.Draining;
  }
}
