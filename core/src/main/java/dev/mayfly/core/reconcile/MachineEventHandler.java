package dev.mayfly.core.reconcile;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Applies the cloud's log entry about a machine to its worker at once, so that its tasks are leased
 * elsewhere within seconds. This only saves time: the next tick finds the same.
 *
 * <p><b>Must:</b> change only the one worker's document; neither ask the cloud nor delete anything,
 * which is left to reconcile and cleanup; change nothing for a repeat, for a machine without a
 * worker here, and for an older machine of the same name.
 */
public final class MachineEventHandler {

  private final Context context;
  private final WorkerTransitions workerTransitions;

  public MachineEventHandler(Context context, WorkerTransitions workerTransitions) {
    this.context = context;
    this.workerTransitions = workerTransitions;
  }

  /** What an event meant to this control plane. */
  public enum Outcome {
    /** The event was applied to a worker. */
    TAKEN,
    /** The worker had it already, or it is about an older machine. */
    STALE,
    /** The machine has no worker here. */
    FOREIGN
  }

  /**
   * Throws {@link UnavailableException} if the ledger is unavailable or conflicts persist; then the
   * event must be delivered again.
   */
  public Outcome handle(MachineEvent event) {
    return Transactions.retry("worker " + event.name(), () -> applied(event));
  }

  /** Empty if another writer changed the worker in between. */
  private Optional<Outcome> applied(MachineEvent event) {
    var found = worker(event);
    if (found.isEmpty()) return Optional.of(Outcome.FOREIGN);
    var worker = found.get().value();
    if (ended(worker)) return Optional.of(Outcome.STALE);
    if (worker.instanceId().isEmpty()) {
      // No reconcile has seen the machine yet: the next one looks it up.
      TriggerSender.send(context.bus(), Trigger.Reconcile.worker(worker.cluster(), worker.name()));
      return Optional.of(Outcome.STALE);
    }
    if (!worker.instanceId().get().equals(event.id())) return Optional.of(Outcome.STALE);
    return workerTransitions.apply(found.get(), eventOf(event)).map(_ -> Outcome.TAKEN);
  }

  private WorkerEvent eventOf(MachineEvent event) {
    var failureCause =
        event.kind() == MachineEvent.Kind.PREEMPTED ? FailureCause.PREEMPTED : FailureCause.LOST;
    return new WorkerEvent.MachineStopped(
        context.clock().instant(), failureCause, event.kind().words(), !event.kind().isOfZone());
  }

  /** The log has no labels, but a worker's name is its machine's and is never reused. */
  private Optional<VersionedDocument<Worker>> worker(MachineEvent event) {
    var clusters = context.ledger().query(new LedgerQuery.Clusters(false));
    var uids = new ArrayList<String>();
    for (var cluster : clusters.readable(c -> uids.add(c.id()))) uids.add(cluster.value().uid());
    var keys = uids.stream().map(uid -> new DocumentKey.OfWorker(uid, event.name())).toList();
    // A name belongs to one machine: if its document is unreadable, the event waits until it is.
    return context.ledger().readAll(keys).requireComplete().stream()
        .filter(stored -> stored.value().provisioning() != Provisioning.STATIC)
        .filter(stored -> stored.value().zone().equals(event.zone()))
        .findFirst();
  }

  private static boolean ended(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Drained _, WorkerState.Lost _, WorkerState.Gone _ -> true;
      case WorkerState.Launching _,
          WorkerState.Booting _,
          WorkerState.Ready _,
          WorkerState.Draining _ ->
          false;
    };
  }
}
