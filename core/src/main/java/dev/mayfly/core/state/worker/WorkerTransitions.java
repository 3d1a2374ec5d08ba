package dev.mayfly.core.state.worker;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.lifecycle.WorkerEffect;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.KeptFolders;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Applies events to workers and deletes their machines. Each change is its own conditional commit;
 * after a conflict the next reconcile decides again.
 */
public final class WorkerTransitions {
  private final Context context;
  private final LeaseRevoker leaseRevoker;
  private final StaticWorkerTermination staticTermination;
  private final BadNodes badNodes;

  /**
   * When this process last requested a deletion: reconciles run every few seconds, and clouds are
   * slow.
   */
  private final Map<Name, Instant> deletionsRequested = new ConcurrentHashMap<>();

  /** Workers with a scheduled reconcile. */
  private final Set<Name> scheduledReconciles = ConcurrentHashMap.newKeySet();

  private final CloudRateLimiter cloudRateLimiter = new CloudRateLimiter();

  private record Name(String cluster, String worker) {}

  public WorkerTransitions(Context context) {
    this.context = context;
    leaseRevoker = new LeaseRevoker(context);
    staticTermination = new StaticWorkerTermination(context.ledger(), context.clock());
    badNodes = new BadNodes(context);
  }

  /** Limits this process's mutating calls to the cloud. */
  public CloudRateLimiter rateLimiter() {
    return cloudRateLimiter;
  }

  /** The name of the worker's machine. */
  public static CloudMachine.Name machineName(Worker worker) {
    var kind = TpuTypes.isName(worker.machineType()) ? CloudMachine.Kind.TPU : CloudMachine.Kind.VM;
    return new CloudMachine.Name(kind, worker.zone(), worker.name());
  }

  /**
   * Whether a machine carries the labels of the worker and its cluster; no other machine may ever
   * be changed.
   */
  public static boolean isMachineOf(CloudMachine cloudMachine, Worker worker) {
    return worker.cluster().equals(cloudMachine.labels().get(CloudMachine.CLUSTER))
        && worker.name().equals(cloudMachine.labels().get(CloudMachine.WORKER));
  }

  public Optional<VersionedDocument<Worker>> apply(
      VersionedDocument<Worker> storedWorker, WorkerEvent event) {
    return apply(storedWorker, event, Optional.empty());
  }

  /**
   * Applies an event. Returns the stored worker; empty if it is gone or another writer changed it
   * in between.
   *
   * @param what one word for the event record; empty for steps that are of no interest to people
   */
  public Optional<VersionedDocument<Worker>> apply(
      VersionedDocument<Worker> storedWorker, WorkerEvent event, Optional<String> what) {
    var worker = storedWorker.value();
    var next = WorkerLifecycle.on(worker.state(), event);
    if (!next.changed()) return Optional.of(storedWorker);
    return switch (next.next()) {
      case WorkerState.Lost lost -> {
        var isOfZone = !(event instanceof WorkerEvent.MachineStopped stopped && stopped.itself());
        var done = leaseRevoker.workerLost(storedWorker, lost.cause(), lost.reason(), isOfZone);
        yield done ? context.ledger().read(worker.key()) : Optional.empty();
      }
      case WorkerState.Gone gone when what.isEmpty() -> {
        leaseRevoker.machineGone(storedWorker, gone.reason(), false);
        yield Optional.empty();
      }
      default -> {
        var after = store(storedWorker, next.next(), what, reason(next.next()));
        if (after.isPresent() && next.effects().contains(new WorkerEffect.RequestReconcile()))
          TriggerSender.send(
              context.bus(), Trigger.Reconcile.worker(worker.cluster(), worker.name()));
        yield after;
      }
    };
  }

  /** What the cloud answered to its order is over with the order. */
  private static Worker withoutOrderProblem(Worker worker) {
    return worker.state() instanceof WorkerState.Launching
        ? worker.withProblem(Optional.empty())
        : worker;
  }

  private Optional<VersionedDocument<Worker>> store(
      VersionedDocument<Worker> storedWorker,
      WorkerState state,
      Optional<String> what,
      String why) {
    var after = withoutOrderProblem(storedWorker.value()).with(state);
    var gone = state instanceof WorkerState.Gone;
    var next = gone ? UsageWrites.without(after) : after;
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(next, storedWorker.version()));
    if (gone) UsageWrites.of(after, context.clock().instant()).ifPresent(ledgerWrites::add);
    var now = context.clock().instant();
    var ends = KeptFolders.ends(storedWorker.value(), now);
    what.ifPresent(w -> {
      ledgerWrites.add(
          new LedgerWrite.Put(
              context.event(next.cluster(), "worker/" + next.name(), w, why + ends)));
      ledgerWrites.add(new LedgerWrite.Signal(next.cluster(), now, false, List.of(next.name())));
    });
    return context.ledger().commit(ledgerWrites) instanceof CommitResult.Done done
        ? Optional.of(new VersionedDocument<>(next, done.versions().getFirst()))
        : Optional.empty();
  }

  public static String reason(WorkerState state) {
    return switch (state) {
      case WorkerState.Draining s -> s.reason();
      case WorkerState.Drained s -> s.reason();
      case WorkerState.Lost s -> s.reason();
      case WorkerState.Gone s -> s.reason();
      case WorkerState.Launching _, WorkerState.Booting _, WorkerState.Ready _ -> "";
    };
  }

  /**
   * Requests deletion of the machine of a worker that owes it, and closes the worker once the cloud
   * proves that the machine is gone. A machine of that name that belongs to another worker is left
   * alone. True if the worker was to be closed.
   */
  public boolean terminate(VersionedDocument<Worker> storedWorker) {
    var worker = storedWorker.value();
    if (!WorkerLifecycle.owed(worker.state()).contains(new WorkerEffect.DeleteMachine()))
      return false;
    if (worker.provisioning() == Provisioning.STATIC) {
      var proof = staticTermination.proof(worker);
      proof.ifPresent(why -> leaseRevoker.machineGone(storedWorker, why, false));
      return proof.isPresent();
    }
    var key = new Name(worker.cluster(), worker.name());
    var now = context.clock().instant();
    var last = deletionsRequested.get(key);
    if (last != null && last.plus(pause()).isAfter(now)) return false;
    var machine = context.fleet().find(machineName(worker));
    var seen = PaidTime.atItsEnd(context.ledger(), storedWorker, own(machine, worker), now);
    if (seen.isEmpty()) return false;
    if (requestDeletion(worker, machine, last != null, now)) {
      deletionsRequested.put(key, now);
      if (!worker.held().isEmpty()) reconcileLater(key, now.plus(pause()));
      return false;
    }
    deletionsRequested.remove(key);
    leaseRevoker.machineGone(
        seen.get(), "the machine is gone; " + reason(worker.state()), last != null);
    return true;
  }

  private static Optional<CloudMachine> own(Optional<CloudMachine> machine, Worker worker) {
    return machine.filter(it -> isMachineOf(it, worker));
  }

  private Duration pause() {
    return context.timings().reconcilePause().multipliedBy(3);
  }

  /**
   * Work that must not run twice waits for the proof that the machine is gone, as do a gang's other
   * hosts: this spares them the wait for a tick. (If the alarm is late, the tick is soon enough.)
   */
  private void reconcileLater(Name name, Instant when) {
    if (!scheduledReconciles.add(name)) return;
    context
        .executor()
        .callAt(
            when,
            () -> {
              scheduledReconciles.remove(name);
              TriggerSender.send(
                  context.bus(), Trigger.Reconcile.worker(name.cluster(), name.worker()));
            });
  }

  /**
   * True if the worker's machine exists. Its deletion is requested, or waits for the next minute if
   * the cloud takes no more calls in this one.
   */
  private boolean requestDeletion(
      Worker worker, Optional<CloudMachine> machine, boolean before, Instant now) {
    if (machine.isPresent() && !isMachineOf(machine.get(), worker)) return false;
    // It is being deleted already; another call would only use up quota.
    if (before && machine.filter(m -> m.status() == CloudMachine.Status.STOPPING).isPresent())
      return true;
    if (machine.filter(m -> m.status() == CloudMachine.Status.RUNNING).isPresent())
      badNodes.stillThere(worker);
    if (machine.isPresent() && !cloudRateLimiter.mayDelete(machineName(worker), now)) return true;
    return context.fleet().delete(machineName(worker));
  }
}
