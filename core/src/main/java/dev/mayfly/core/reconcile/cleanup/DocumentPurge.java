package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.reconcile.ClusterReconciler;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Deletes documents of workers that have long been gone and of their hosts, and documents that only
 * a live cluster needs. Jobs and their shards stay, because users ask for them.
 */
final class DocumentPurge {
  private static final Duration PAUSE = Duration.ofHours(1);

  private final Context context;
  private Instant last = Instant.MIN;

  DocumentPurge(Context context) {
    this.context = context;
  }

  /** Once an hour. */
  void run(Collection<Cluster> clusters, FailureLog failureLog) {
    var now = context.clock().instant();
    if (!last.equals(Instant.MIN) && last.plus(PAUSE).isAfter(now)) return;
    last = now;
    for (var cluster : clusters) {
      var end = cluster.endedAt().map(at -> at.plus(context.timings().goneKept().multipliedBy(2)));
      if (end.isPresent() && end.get().isBefore(now)) continue;
      failureLog.guard("cluster " + cluster.spec().name(), () -> purge(cluster, now));
    }
  }

  private void purge(Cluster cluster, Instant now) {
    var expired = new ArrayList<LedgerWrite>();
    var workers =
        context
            .ledger()
            .query(new LedgerQuery.Workers(cluster.uid(), true, ClusterReconciler.WORKERS));
    for (var storedWorker : workers.readableOnly())
      if (isExpired(storedWorker.value(), now)) {
        // The hosts first: if a batch fails, they are found again by the worker.
        SliceHosts.otherKeys(storedWorker.value())
            .forEach(host -> expired.add(new LedgerWrite.Delete(host)));
        expired.add(new LedgerWrite.Delete(storedWorker.value().key()));
      }
    if (cluster
        .endedAt()
        .filter(at -> at.plus(context.timings().goneKept()).isBefore(now))
        .isPresent())
      control(cluster.uid()).forEach(key -> expired.add(new LedgerWrite.Delete(key)));
    for (var from = 0; from < expired.size(); from += BatchSize.MAX_WRITES)
      context
          .ledger()
          .commit(expired.subList(from, Math.min(expired.size(), from + BatchSize.MAX_WRITES)));
  }

  private boolean isExpired(Worker worker, Instant now) {
    return worker.state() instanceof WorkerState.Gone gone
        && gone.since().plus(context.timings().goneKept()).isBefore(now);
  }

  /** The documents that function instances left for a cluster that is gone. */
  private List<DocumentKey<?>> control(String cluster) {
    var documentKeys = new ArrayList<DocumentKey<?>>();
    var candidates =
        List.<DocumentKey<? extends LedgerDocument>>of(
            new DocumentKey.OfChangeSignal(cluster),
            new DocumentKey.OfServingHistory(cluster),
            new DocumentKey.OfJobQueue(cluster));
    for (var documentKey : candidates)
      if (context.ledger().read(documentKey).isPresent()) documentKeys.add(documentKey);
    for (var heartbeats :
        context.ledger().query(new LedgerQuery.AllHeartbeats(cluster)).readableOnly())
      documentKeys.add(heartbeats.value().key());
    return documentKeys;
  }
}
