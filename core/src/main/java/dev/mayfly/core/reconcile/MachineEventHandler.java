package dev.mayfly.core.reconcile;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.Timings;
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
  private static final int TRIES = 5;

  private final Ports ports;
  private final WorkerTransitions workerTransitions;

  public MachineEventHandler(Ports ports, Timings timings) {
    this.ports = ports;
    workerTransitions = new WorkerTransitions(ports, timings);
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
    for (var tries = 0; tries < TRIES; tries++) {
      var found = worker(event);
      if (found.isEmpty()) return Outcome.FOREIGN;
      var versionedDocument = found.get();
      if (ended(versionedDocument.value())) return Outcome.STALE;
      var known = versionedDocument.value().instanceId();
      if (known.isEmpty()) {
        // No reconcile has seen the machine yet: the next one looks it up.
        TriggerSender.send(
            ports.bus(),
            Trigger.Look.worker(
                versionedDocument.value().cluster(), versionedDocument.value().name()));
        return Outcome.STALE;
      }
      if (!known.get().equals(event.id())) return Outcome.STALE;
      if (workerTransitions.apply(versionedDocument, eventOf(event)).isPresent())
        return Outcome.TAKEN;
    }
    throw new UnavailableException(
        "worker " + event.name() + " is being changed concurrently; deliver the event again");
  }

  private WorkerEvent eventOf(MachineEvent event) {
    var failureCause =
        event.kind() == MachineEvent.Kind.PREEMPTED ? FailureCause.PREEMPTED : FailureCause.LOST;
    return new WorkerEvent.MachineStopped(
        ports.clock().instant(), failureCause, event.kind().words());
  }

  /** The log has no labels, but a worker's name is its machine's and is never reused. */
  private Optional<VersionedDocument<Worker>> worker(MachineEvent event) {
    var clusters = ports.ledger().query(new LedgerQuery.Clusters(false));
    var uids = new ArrayList<String>();
    for (var cluster : clusters.readable(c -> uids.add(c.id()))) uids.add(cluster.value().uid());
    var keys = uids.stream().map(uid -> new DocumentKey.OfWorker(uid, event.name())).toList();
    // A name belongs to one machine: if its document is unreadable, the event waits until it is.
    return ports.ledger().readAll(keys).requireComplete().stream()
        .filter(
            versionedDocument -> versionedDocument.value().provisioning() != Provisioning.STATIC)
        .filter(versionedDocument -> versionedDocument.value().zone().equals(event.zone()))
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
