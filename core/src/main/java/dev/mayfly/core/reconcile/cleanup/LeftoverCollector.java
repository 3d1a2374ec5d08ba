package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes the disks and addresses that machines left behind.
 *
 * <p><b>Must:</b> touch nothing without the labels of a cluster and a worker that could be this
 * deployment's; keep what belongs to a worker that has not ended, because its machine may be on its
 * way.
 */
final class LeftoverCollector {
  private final Context context;
  private final WorkerTransitions workerTransitions;

  LeftoverCollector(Context context, WorkerTransitions workerTransitions) {
    this.context = context;
    this.workerTransitions = workerTransitions;
  }

  void collect(Map<String, Cluster> clusters, FailureLog failureLog) {
    for (var leftover : context.fleet().leftovers())
      failureLog.guard(what(leftover), () -> check(leftover, clusters, failureLog));
  }

  private void check(Leftover leftover, Map<String, Cluster> clusters, FailureLog failureLog) {
    var cluster = clusters.get(leftover.labels().getOrDefault(CloudMachine.CLUSTER, ""));
    var worker = leftover.labels().getOrDefault(CloudMachine.WORKER, "");
    if (cluster == null || worker.isEmpty()) {
      failureLog.add(what(leftover), "left alone: its labels match no readable cluster and worker");
      return;
    }
    why(cluster, worker, leftover).ifPresent(why -> delete(cluster, leftover, why));
  }

  /** Why it must be deleted; empty while it may be needed. */
  private Optional<String> why(Cluster cluster, String worker, Leftover leftover) {
    var versionedDocument = context.ledger().read(new DocumentKey.OfWorker(cluster.uid(), worker));
    if (versionedDocument
        .map(VersionedDocument::value)
        .map(Worker::state)
        .filter(LeftoverCollector::isGone)
        .isPresent()) return Optional.of("its worker " + worker + " is gone");
    var young =
        leftover
            .createdAt()
            .plus(context.timings().orphanGrace())
            .isAfter(context.clock().instant());
    return versionedDocument.isPresent() || young
        ? Optional.empty()
        : Optional.of("no worker of this cluster has it");
  }

  private static boolean isGone(WorkerState state) {
    return state instanceof WorkerState.Gone;
  }

  private void delete(Cluster cluster, Leftover leftover, String why) {
    if (!context.fleet().delete(leftover)) return;
    var eventRecord = workerTransitions.event(cluster.uid(), about(leftover), "swept", why);
    context.ledger().commit(List.of(new LedgerWrite.Put(eventRecord)));
  }

  private static String about(Leftover leftover) {
    return word(leftover) + "/" + leftover.name();
  }

  private static String what(Leftover leftover) {
    return word(leftover) + " " + leftover.name();
  }

  private static String word(Leftover leftover) {
    return leftover.kind().name().toLowerCase(Locale.ROOT);
  }
}
