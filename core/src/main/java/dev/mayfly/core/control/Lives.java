package dev.mayfly.core.control;

import dev.mayfly.core.effect.Effect;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import dev.mayfly.core.worker.WorkerLifecycle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells workers what happened to them, and deletes their machines. Each change is its own
 * conditional commit: one that somebody else overtook is left to the next round.
 */
final class Lives {
  private final Ports ports;
  private final Rules rules;
  private final Losses losses;
  private final OwnMachines own;

  /**
   * When this process last asked for a deletion: looks come every few seconds, and clouds are slow.
   */
  private final Map<Name, Instant> asked = new ConcurrentHashMap<>();

  /** Clusters that are looked at again soon. */
  private final Set<Name> looks = ConcurrentHashMap.newKeySet();

  private final CallQuota calls = new CallQuota();

  private record Name(String cluster, String worker) {}

  Lives(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
    losses = new Losses(ports.ledger(), ports.bus(), ports.ids(), ports.clock());
    own = new OwnMachines(ports.ledger(), ports.clock());
  }

  /** How often the cloud may be asked for changes, by this process. */
  CallQuota calls() {
    return calls;
  }

  /** An order's name for the worker's machine. */
  static Machine.Name machine(Worker worker) {
    var kind = TpuTypes.isName(worker.machineType()) ? Machine.Kind.TPU : Machine.Kind.VM;
    return new Machine.Name(kind, worker.zone(), worker.name());
  }

  /** Whether a machine carries exactly the worker's labels; nothing else may ever be touched. */
  static boolean isOf(Machine machine, Worker worker) {
    return worker.cluster().equals(machine.labels().get(Machine.CLUSTER))
        && worker.name().equals(machine.labels().get(Machine.WORKER));
  }

  Optional<Stored<Worker>> tell(Stored<Worker> stored, WorkerEvent event) {
    return tell(stored, event, Optional.empty());
  }

  /**
   * The worker as it is now in the ledger; empty if it is gone or if somebody changed it meanwhile.
   *
   * @param what one word for the event that people are shown; none for steps that nobody asks about
   */
  Optional<Stored<Worker>> tell(Stored<Worker> stored, WorkerEvent event, Optional<String> what) {
    var worker = stored.value();
    var next = WorkerLifecycle.on(worker.state(), event);
    if (!next.changed()) return Optional.of(stored);
    return switch (next.next()) {
      case WorkerState.Lost lost -> {
        var done = losses.lose(stored, lost.cause(), lost.reason());
        yield done ? ports.ledger().read(worker.key()) : Optional.empty();
      }
      case WorkerState.Gone gone when what.isEmpty() -> {
        losses.gone(stored, gone.reason());
        yield Optional.empty();
      }
      default -> {
        var after = store(stored, next.next(), what, reason(next.next()));
        if (after.isPresent() && next.effects().contains(new Effect.Look()))
          Hints.send(ports.bus(), Hint.Look.worker(worker.cluster(), worker.name()));
        yield after;
      }
    };
  }

  private Optional<Stored<Worker>> store(
      Stored<Worker> stored, WorkerState state, Optional<String> what, String why) {
    var next = stored.value().with(state);
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(next, stored.version()));
    what.ifPresent(w -> {
      writes.add(new Write.Put(event(next.cluster(), "worker/" + next.name(), w, why)));
      var now = ports.clock().instant();
      writes.add(new Write.Notify(next.cluster(), now, false, List.of(next.name())));
    });
    return ports.ledger().commit(writes) instanceof Committed.Done done
        ? Optional.of(new Stored<>(next, done.versions().getFirst()))
        : Optional.empty();
  }

  static String reason(WorkerState state) {
    return switch (state) {
      case WorkerState.Draining s -> s.reason();
      case WorkerState.Drained s -> s.reason();
      case WorkerState.Lost s -> s.reason();
      case WorkerState.Gone s -> s.reason();
      case WorkerState.Launching _, WorkerState.Booting _, WorkerState.Ready _ -> "";
    };
  }

  Event event(String cluster, String about, String what, String why) {
    return new Event(cluster, ports.ids().next(20), ports.clock().instant(), about, what, why);
  }

  /**
   * Asks for the deletion of the machine of a worker that owes it, and closes the worker when the
   * cloud proves that there is none. A machine of that name which is somebody else's is left alone.
   * True if it was to be closed.
   */
  boolean end(Stored<Worker> stored) {
    var worker = stored.value();
    if (!WorkerLifecycle.owed(worker.state()).contains(new Effect.DeleteMachine())) return false;
    if (worker.provisioning() == Provisioning.STATIC) {
      var proof = own.proof(worker);
      proof.ifPresent(why -> losses.gone(stored, why));
      return proof.isPresent();
    }
    var key = new Name(worker.cluster(), worker.name());
    var now = ports.clock().instant();
    var last = asked.get(key);
    if (last != null && last.plus(pause()).isAfter(now)) return false;
    if (deleteAsked(worker, last != null, now)) {
      asked.put(key, now);
      if (!worker.held().isEmpty()) lookAgain(key, now.plus(pause()));
      return false;
    }
    asked.remove(key);
    losses.gone(stored, "the machine is gone; " + reason(worker.state()));
    return true;
  }

  private Duration pause() {
    return rules.roundPause().multipliedBy(3);
  }

  /**
   * Work that must not run twice waits for the proof that the machine is gone, and so does a gang's
   * other hosts: they need not wait for a tick. (Where alarms ring late, the tick is soon enough.)
   */
  private void lookAgain(Name name, Instant when) {
    if (!looks.add(name)) return;
    ports
        .alarms()
        .at(
            when,
            () -> {
              looks.remove(name);
              Hints.send(ports.bus(), Hint.Look.worker(name.cluster(), name.worker()));
            });
  }

  /**
   * True if a machine of the worker's is there. Its deletion is asked for, or waits for the next
   * minute if the cloud takes no more calls in this one.
   */
  private boolean deleteAsked(Worker worker, boolean before, Instant now) {
    var there = ports.fleet().find(machine(worker));
    if (there.isPresent() && !isOf(there.get(), worker)) return false;
    // It is on its way out, and each more call is taken from those that others wait for.
    if (before && there.filter(m -> m.status() == Machine.Status.STOPPING).isPresent()) return true;
    if (there.isPresent() && !calls.mayDelete(machine(worker), now)) return true;
    return ports.fleet().delete(machine(worker));
  }
}
