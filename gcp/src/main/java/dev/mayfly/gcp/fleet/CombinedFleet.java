package dev.mayfly.gcp.fleet;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Compute Engine and Cloud TPU as one fleet; a machine's name selects the service. */
final class CombinedFleet implements Fleet {
  private final Fleet compute;
  private final Fleet tpu;
  private final BiFunction<ClusterSpec, PoolSpec, Optional<String>> whyUnmounted;

  CombinedFleet(
      Fleet compute, Fleet tpu, BiFunction<ClusterSpec, PoolSpec, Optional<String>> whyUnmounted) {
    this.compute = compute;
    this.tpu = tpu;
    this.whyUnmounted = whyUnmounted;
  }

  @Override
  public Ordered order(Order order) {
    return of(order.name()).order(order);
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    return of(name).progress(name, operation);
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return of(name).find(name);
  }

  @Override
  public boolean delete(CloudMachine.Name name) {
    return of(name).delete(name);
  }

  /** All of Cloud TPU's runtime versions have docker. */
  @Override
  public Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool) {
    return pool.machine().tpu().isPresent()
        ? Optional.empty()
        : compute.whyNoContainers(cluster, pool);
  }

  @Override
  public Optional<String> whyUnmounted(ClusterSpec cluster, PoolSpec pool) {
    return whyUnmounted.apply(cluster, pool);
  }

  @Override
  public Optional<String> whyNoSubmitters(PoolSpec pool) {
    return (pool.machine().tpu().isPresent() ? tpu : compute).whyNoSubmitters(pool);
  }

  /**
   * Complete only if both services' lists are. A service that does not answer hides its own
   * machines.
   */
  @Override
  public Inventory list() {
    var cloudMachines = new ArrayList<CloudMachine>();
    var warnings = new ArrayList<String>();
    var complete = true;
    for (var inventory : List.of(of("Compute Engine", compute::list), of("Cloud TPU", tpu::list))) {
      cloudMachines.addAll(inventory.machines());
      warnings.addAll(inventory.warnings());
      complete &= inventory.complete();
    }
    return new Inventory(cloudMachines, complete, warnings);
  }

  /** TPU nodes have no disks or addresses of their own. */
  @Override
  public List<Leftover> leftovers() {
    return compute.leftovers();
  }

  @Override
  public boolean delete(Leftover leftover) {
    return compute.delete(leftover);
  }

  private Fleet of(CloudMachine.Name name) {
    return switch (name.kind()) {
      case VM -> compute;
      case TPU -> tpu;
    };
  }

  private static Inventory of(String service, Supplier<Inventory> list) {
    try {
      return list.get();
    } catch (RuntimeException failure) {
      return new Inventory(List.of(), false, List.of(service + ": " + failure.getMessage()));
    }
  }
}
