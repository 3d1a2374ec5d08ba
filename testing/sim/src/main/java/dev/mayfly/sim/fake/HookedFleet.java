package dev.mayfly.sim.fake;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.sim.fault.PortHook;
import java.util.List;
import java.util.Optional;

/** The cloud as one process sees it. */
public final class HookedFleet implements Fleet {
  private final Fleet fleet;
  private final PortHook portHook;

  public HookedFleet(Fleet fleet, PortHook portHook) {
    this.fleet = fleet;
    this.portHook = portHook;
  }

  @Override
  public Ordered order(Order order) {
    return portHook.around("fleet.order", () -> fleet.order(order));
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    return portHook.around("fleet.progress", () -> fleet.progress(name, operation));
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return portHook.around("fleet.find", () -> fleet.find(name));
  }

  @Override
  public boolean delete(CloudMachine.Name name) {
    return portHook.around("fleet.delete", () -> fleet.delete(name));
  }

  @Override
  public Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool) {
    return fleet.whyNoContainers(cluster, pool);
  }

  @Override
  public Optional<String> whyUnmounted(ClusterSpec cluster, PoolSpec pool) {
    return fleet.whyUnmounted(cluster, pool);
  }

  @Override
  public Optional<String> whyNoSubmitters(PoolSpec pool) {
    return fleet.whyNoSubmitters(pool);
  }

  @Override
  public Inventory list() {
    return portHook.around("fleet.list", fleet::list);
  }

  @Override
  public List<Leftover> leftovers() {
    return portHook.around("fleet.leftovers", fleet::leftovers);
  }

  @Override
  public boolean delete(Leftover leftover) {
    return portHook.around("fleet.delete", () -> fleet.delete(leftover));
  }
}
