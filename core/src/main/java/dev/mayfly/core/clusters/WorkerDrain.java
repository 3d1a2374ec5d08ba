package dev.mayfly.core.clusters;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.DrainRequests;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Instant;
import java.util.Optional;

/** A user drains a worker. A command older than the newest one about it changes nothing. */
final class WorkerDrain {
  private static final DrainReason BY_HAND =
      new DrainReason(DrainCause.USER, "by hand (mayfly drain)");

  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final DrainRequests drainRequests;

  WorkerDrain(Context context, WorkerTransitions workerTransitions) {
    this.context = context;
    this.workerTransitions = workerTransitions;
    drainRequests = new DrainRequests(context);
  }

  /** Drains the worker; throws {@link UnknownNameException} if the cluster has none of the name. */
  void drain(Cluster cluster, String name, Instant publishedAt) {
    Transactions.retry(
        "worker " + name,
        () -> {
          var worker = context.ledger().read(new DocumentKey.OfWorker(cluster.uid(), name));
          if (worker.isEmpty())
            throw new UnknownNameException(
                "worker",
                "cluster %1$s has no worker %2$s; mayfly workers -c %1$s lists its workers"
                    .formatted(cluster.spec().name(), name));
          var last = worker.get().value().lastCommandAt();
          return CommandOrder.of(last, publishedAt) != CommandOrder.NEW
              || drained(cluster, worker.get(), publishedAt);
        });
  }

  private boolean drained(Cluster cluster, VersionedDocument<Worker> stored, Instant publishedAt) {
    var deadline = context.clock().instant().plus(context.timings().drainDeadline());
    var event = drainRequests.of(cluster, stored.value(), BY_HAND, deadline);
    var worker = stored.value().withLastCommandAt(publishedAt);
    var commanded = new VersionedDocument<>(worker, stored.version());
    if (workerTransitions.apply(commanded, event, Optional.of("draining")).isEmpty()) return false;
    TriggerSender.send(context.bus(), Trigger.Reconcile.worker(worker.cluster(), worker.name()));
    return true;
  }
}
