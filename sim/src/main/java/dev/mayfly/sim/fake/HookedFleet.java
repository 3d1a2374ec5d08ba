package dev.mayfly.sim.fake;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Machine;
import java.util.List;
import java.util.Optional;

/** The cloud as one process sees it. */
public final class HookedFleet implements Fleet {
  private final Fleet fleet;
  private final Hook hook;

  public HookedFleet(Fleet fleet, Hook hook) {
    this.fleet = fleet;
    this.hook = hook;
  }

  @Override
  public Ordered order(Order order) {
    return hook.around("fleet.order", () -> fleet.order(order));
  }

  @Override
  public Optional<Progress> progress(Machine.Name name, String operation) {
    return hook.around("fleet.progress", () -> fleet.progress(name, operation));
  }

  @Override
  public Optional<Machine> find(Machine.Name name) {
    return hook.around("fleet.find", () -> fleet.find(name));
  }

  @Override
  public boolean delete(Machine.Name name) {
    return hook.around("fleet.delete", () -> fleet.delete(name));
  }

  @Override
  public Optional<String> withoutContainers(PoolSpec pool) {
    return fleet.withoutContainers(pool);
  }

  @Override
  public Inventory list() {
    return hook.around("fleet.list", fleet::list);
  }

  @Override
  public List<Leftover> leftovers() {
    return hook.around("fleet.leftovers", fleet::leftovers);
  }

  @Override
  public boolean delete(Leftover leftover) {
    return hook.around("fleet.delete", () -> fleet.delete(leftover));
  }
}
