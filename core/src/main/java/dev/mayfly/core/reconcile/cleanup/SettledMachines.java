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
 * Which machines of a list need a look at the ledger. A machine that runs, and that matched its
 * worker at the last comparison, needs none: rounds handle later changes in the ledger. Without
 * this, each pass costs one read for each worker.
 *
 * <p>Its maps keep an order: the names of machines have a kind in them, whose hash differs from
 * process to process.
 *
 * <p>This memory belongs to one process and may be stale, so every ten minutes a pass compares all.
 */
final class SettledMachines {
  private static final Duration ALL_EVERY = Duration.ofMinutes(10);

  private Map<CloudMachine.Name, CloudMachine> listed = Map.of();
  private final Map<CloudMachine.Name, DocumentKey.OfWorker> unsettled = new LinkedHashMap<>();
  private Instant allAt = Instant.MIN;

  /** The workers to read, by their machines; empty if all are to be compared. */
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

  /** The next pass compares all, unless this one ends well. */
  void reset() {
    listed = Map.of();
    unsettled.clear();
    allAt = Instant.MIN;
  }

  /**
   * A pass has ended well.
   *
   * @param asked what {@link #changed} named for it
   * @param workers those that were read, as they were before the pass changed them
   */
  void record(
      Inventory inventory,
      Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> asked,
      Collection<Worker> workers,
      Instant start) {
    var all = asked.isEmpty();
    var before = allAt;
    reset();
    var there = new LinkedHashMap<CloudMachine.Name, CloudMachine>();
    for (var cloudMachine : inventory.machines()) there.put(cloudMachine.name(), cloudMachine);
    listed = there;
    allAt = all ? start : before;
    var known = new LinkedHashMap<CloudMachine.Name, Worker>();
    for (var worker : workers) known.put(WorkerTransitions.machineName(worker), worker);
    for (var cloudMachine : inventory.machines())
      if (all || asked.get().containsKey(cloudMachine.name()))
        if (!runs(cloudMachine, Optional.ofNullable(known.get(cloudMachine.name()))))
          unsettled.put(cloudMachine.name(), worker(cloudMachine));
    known.forEach((name, worker) -> {
      if (!there.containsKey(name)
          && !isOwn(worker)
          && !(worker.state() instanceof WorkerState.Gone)) unsettled.put(name, worker.key());
    });
  }

  private static boolean runs(CloudMachine cloudMachine, Optional<Worker> worker) {
    return cloudMachine.status() == CloudMachine.Status.RUNNING
        && worker.filter(w -> !isOwn(w) && w.state().live()).isPresent();
  }

  /** No cloud has it, and it is nobody's to delete. */
  static boolean isOwn(Worker worker) {
    return worker.provisioning() == Provisioning.STATIC;
  }
}
