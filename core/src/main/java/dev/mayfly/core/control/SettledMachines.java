package dev.mayfly.core.control;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Fleet.Inventory;
import dev.mayfly.core.port.Machine;
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

  private Map<Machine.Name, Machine> listed = Map.of();
  private final Map<Machine.Name, Key.OfWorker> unsettled = new LinkedHashMap<>();
  private Instant allAt = Instant.MIN;

  /** The workers to read, by their machines; empty if all are to be compared. */
  Optional<Map<Machine.Name, Key.OfWorker>> changed(Inventory inventory, Instant now) {
    if (!inventory.complete() || allAt.equals(Instant.MIN) || !allAt.plus(ALL_EVERY).isAfter(now))
      return Optional.empty();
    var changed = new LinkedHashMap<>(unsettled);
    var gone = new LinkedHashMap<>(listed);
    for (var machine : inventory.machines()) {
      var before = gone.remove(machine.name());
      if (before == null || before.status() != machine.status())
        changed.put(machine.name(), worker(machine));
    }
    gone.forEach((name, machine) -> changed.put(name, worker(machine)));
    return Optional.of(changed);
  }

  private static Key.OfWorker worker(Machine machine) {
    return new Key.OfWorker(
        machine.labels().getOrDefault(Machine.CLUSTER, ""), machine.name().name());
  }

  /** The next pass compares all, unless this one ends well. */
  void forget() {
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
  void compared(
      Inventory inventory,
      Optional<Map<Machine.Name, Key.OfWorker>> asked,
      Collection<Worker> workers,
      Instant start) {
    var all = asked.isEmpty();
    var before = allAt;
    forget();
    var there = new LinkedHashMap<Machine.Name, Machine>();
    for (var machine : inventory.machines()) there.put(machine.name(), machine);
    listed = there;
    allAt = all ? start : before;
    var known = new LinkedHashMap<Machine.Name, Worker>();
    for (var worker : workers) known.put(Lives.machine(worker), worker);
    for (var machine : inventory.machines())
      if (all || asked.get().containsKey(machine.name()))
        if (!runs(machine, Optional.ofNullable(known.get(machine.name()))))
          unsettled.put(machine.name(), worker(machine));
    known.forEach((name, worker) -> {
      if (!there.containsKey(name)
          && !isOwn(worker)
          && !(worker.state() instanceof WorkerState.Gone)) unsettled.put(name, worker.key());
    });
  }

  private static boolean runs(Machine machine, Optional<Worker> worker) {
    return machine.status() == Machine.Status.RUNNING
        && worker.filter(w -> !isOwn(w) && w.state().live()).isPresent();
  }

  /** No cloud has it, and it is nobody's to delete. */
  static boolean isOwn(Worker worker) {
    return worker.provisioning() == Provisioning.STATIC;
  }
}
