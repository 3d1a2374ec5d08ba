package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Inventory;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which listed machines need a ledger read. A running machine that matched its worker at
 * the last comparison needs none: reconcile handles later changes in the ledger. Without this, each
 * pass costs a read per worker.
 *
 * <p>The maps keep insertion order, because a machine name contains an enum, whose hash differs
 * between processes.
 *
 * <p>This memory belongs to one process and may be stale, so a pass compares everything every ten
 * minutes.
 */
final class SettledMachines {
  private static final Duration ALL_EVERY = Duration.ofMinutes(10);

  private Map<CloudMachine.Name, CloudMachine> listed = Map.of();
  private final Map<CloudMachine.Name, DocumentKey.OfWorker> unsettled = new LinkedHashMap<>();
  private Instant allAt = Instant.MIN;

  /** The workers to read, by machine; empty if all must be compared. */
  Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> changed(Inventory inventory, Instant now) {
    if (!inventory.complete() || allAt.equals(Instant.MIN) || !allAt.plus(ALL_EVERY).isAfter(now))
      return Optional.empty();
    var changed = new LinkedHashMap<>(unsettled);
    var gone = new LinkedHashMap<>(listed);
    for (var cloudMachine : inventory.machines()) {
      var before = gone.remove(cloudMachine.name());
      if (before == null || before.status() != cloudMachine.status())
        changed.put(cloudMachine.name(), worker(cloudMachine));
    }
    gone.forEach((name, cloudMachine) -> changed.put(name, worker(cloudMachine)));
    return Optional.of(changed);
  }

  private static DocumentKey.OfWorker worker(CloudMachine cloudMachine) {
    return new DocumentKey.OfWorker(
        cloudMachine.labels().getOrDefault(CloudMachine.CLUSTER, ""), cloudMachine.name().name());
  }

  /** Makes the next pass compare everything, unless this one succeeds. */
  void reset() {
    listed = Map.of();
    unsettled.clear();
    allAt = Instant.MIN;
  }

  /**
   * Records a pass that succeeded.
   *
   * @param toCheck what {@link #changed} returned for it
   * @param workers the workers read, as before the pass changed them
   */
  void record(
      Inventory inventory,
      Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> toCheck,
      Collection<Worker> workers,
      Instant start) {
    var all = toCheck.isEmpty();
    var before = allAt;
    reset();
    var now = new LinkedHashMap<CloudMachine.Name, CloudMachine>();
    for (var cloudMachine : inventory.machines()) now.put(cloudMachine.name(), cloudMachine);
    listed = now;
    allAt = all ? start : before;
    var known = new LinkedHashMap<CloudMachine.Name, Worker>();
    for (var worker : workers) known.put(WorkerTransitions.machineName(worker), worker);
    for (var cloudMachine : inventory.machines())
      if (all || toCheck.get().containsKey(cloudMachine.name()))
        if (!runs(cloudMachine, Optional.ofNullable(known.get(cloudMachine.name()))))
          unsettled.put(cloudMachine.name(), worker(cloudMachine));
    known.forEach((name, worker) -> {
      if (!now.containsKey(name) && !isOwn(worker) && !(worker.state() instanceof WorkerState.Gone))
        unsettled.put(name, worker.key());
    });
  }

  private static boolean runs(CloudMachine cloudMachine, Optional<Worker> worker) {
    return cloudMachine.status() == CloudMachine.Status.RUNNING
        && worker.filter(w -> !isOwn(w) && w.state().live()).isPresent();
  }

  /** A static worker's machine is in no cloud and never deleted. */
  static boolean isOwn(Worker worker) {
    return worker.provisioning() == Provisioning.STATIC;
  }
}
