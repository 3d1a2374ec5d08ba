package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.worker.WorkerEvent;
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
public final class VmEvents {
  private static final int TRIES = 5;

  private final Ports ports;
  private final Lives lives;

  public VmEvents(Ports ports, Rules rules) {
    this.ports = ports;
    lives = new Lives(ports, rules);
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
   * Throws {@link Unavailable} if the ledger cannot be had or others changed the worker again and
   * again; then the event is to come again.
   */
  public Outcome take(MachineEvent event) {
    for (var tries = 0; tries < TRIES; tries++) {
      var found = worker(event);
      if (found.isEmpty()) return Outcome.FOREIGN;
      var stored = found.get();
      if (over(stored.value())) return Outcome.STALE;
      var known = stored.value().instanceId();
      if (known.isEmpty()) {
        // Nobody has seen the machine: a round looks, and knows.
        Hints.send(ports.bus(), Hint.Look.worker(stored.value().cluster(), stored.value().name()));
        return Outcome.STALE;
      }
      if (!known.get().equals(event.id())) return Outcome.STALE;
      if (lives.tell(stored, told(event)).isPresent()) return Outcome.TAKEN;
    }
    throw new Unavailable("worker " + event.name() + " changed while it was told of its machine");
  }

  private WorkerEvent told(MachineEvent event) {
    var cause = event.kind() == MachineEvent.Kind.PREEMPTED ? Cause.PREEMPTED : Cause.LOST;
    return new WorkerEvent.MachineStopped(ports.clock().instant(), cause, event.kind().words());
  }

  /** The log knows no labels; but a worker's name is its machine's, and is never used again. */
  private Optional<Stored<Worker>> worker(MachineEvent event) {
    var clusters = ports.ledger().query(new Query.Clusters(false));
    var uids = new ArrayList<String>();
    for (var cluster : clusters.readable(c -> uids.add(c.id()))) uids.add(cluster.value().uid());
    var keys = uids.stream().map(uid -> new Key.OfWorker(uid, event.name())).toList();
    // A name is one machine's: if its document cannot be read, the event waits until it can.
    return ports.ledger().readAll(keys).complete().stream()
        .filter(stored -> stored.value().provisioning() != Provisioning.STATIC)
        .filter(stored -> stored.value().zone().equals(event.zone()))
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
