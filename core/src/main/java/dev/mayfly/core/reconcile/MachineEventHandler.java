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
 * Tells a worker at once what the cloud wrote down about its machine, so that its tasks are leased
 * elsewhere within seconds. Only an aid: without it the next tick finds the same.
 *
 * <p><b>Must:</b> change the one worker's own document and nothing else; ask the cloud nothing and
 * delete nothing, which is for rounds and cleanup; change nothing for a repeat, for a machine that
 * is nobody's here, and for an older machine of the same name.
 */
public final class MachineEventHandler {
  private static final int TRIES = 5;

  private final Ports ports;
  private final WorkerTransitions workerTransitions;

  public MachineEventHandler(Ports ports, Timings timings) {
    this.ports = ports;
    workerTransitions = new WorkerTransitions(ports, timings);
  }

  /** What an event was to this control plane. */
  public enum Outcome {
    /** A worker was told. */
    TAKEN,
    /** Its worker knew it, or it speaks of an older machine. */
    STALE,
    /** The machine has no worker here. */
    FOREIGN
  }

  /**
   * Throws {@link UnavailableException} if the ledger cannot be had or others changed the worker
   * again and again; then the event is to come again.
   */
  public Outcome handle(MachineEvent event) {
    for (var tries = 0; tries < TRIES; tries++) {
      var found = worker(event);
      if (found.isEmpty()) return Outcome.FOREIGN;
      var versionedDocument = found.get();
      if (over(versionedDocument.value())) return Outcome.STALE;
      var known = versionedDocument.value().instanceId();
      if (known.isEmpty()) {
        // Nobody has seen the machine: a round looks, and knows.
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
        "worker " + event.name() + " changed while it was told of its machine");
  }

  private WorkerEvent eventOf(MachineEvent event) {
    var failureCause =
        event.kind() == MachineEvent.Kind.PREEMPTED ? FailureCause.PREEMPTED : FailureCause.LOST;
    return new WorkerEvent.MachineStopped(
        ports.clock().instant(), failureCause, event.kind().words());
  }

  /** The log knows no labels; but a worker's name is its machine's, and is never used again. */
  private Optional<VersionedDocument<Worker>> worker(MachineEvent event) {
    var clusters = ports.ledger().query(new LedgerQuery.Clusters(false));
    var uids = new ArrayList<String>();
    for (var cluster : clusters.readable(c -> uids.add(c.id()))) uids.add(cluster.value().uid());
    var keys = uids.stream().map(uid -> new DocumentKey.OfWorker(uid, event.name())).toList();
    // A name is one machine's: if its document cannot be read, the event waits until it can.
    return ports.ledger().readAll(keys).requireComplete().stream()
        .filter(
            versionedDocument -> versionedDocument.value().provisioning() != Provisioning.STATIC)
        .filter(versionedDocument -> versionedDocument.value().zone().equals(event.zone()))
        .findFirst();
  }

  private static boolean over(Worker worker) {
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
