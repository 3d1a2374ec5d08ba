package dev.mayfly.gcp.tpu;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Compute Engine and Cloud TPU as one fleet. Names are unique over both, since a worker's name is.
 */
final class Fleets implements Fleet {
  /** How every operation of Cloud TPU begins, and none of Compute Engine. */
  private static final String TPU_OPERATION = "projects/";

  private final Fleet compute;
  private final Fleet tpu;

  Fleets(Fleet compute, Fleet tpu) {
    this.compute = compute;
    this.tpu = tpu;
  }

  @Override
  public Ordered order(Order order) {
    return TpuTypes.of(order.pool().machineType()).isPresent()
        ? tpu.order(order)
        : compute.order(order);
  }

  @Override
  public Optional<Progress> progress(Machine.Name name, String operation) {
    return operation.startsWith(TPU_OPERATION)
        ? tpu.progress(name, operation)
        : compute.progress(name, operation);
  }

  @Override
  public Optional<Machine> find(Machine.Name name) {
    return compute.find(name).or(() -> tpu.find(name));
  }

  @Override
  public boolean delete(Machine.Name name) {
    return compute.delete(name) || tpu.delete(name);
  }

  /** A service that does not answer hides its own machines only. */
  @Override
  public Inventory list() {
    var machines = new ArrayList<Machine>();
    var warnings = new ArrayList<String>();
    for (var inventory : List.of(of("Compute Engine", compute::list), of("Cloud TPU", tpu::list))) {
      machines.addAll(inventory.machines());
      warnings.addAll(inventory.warnings());
    }
    return new Inventory(machines, warnings.isEmpty(), warnings);
  }

  private static Inventory of(String service, Supplier<Inventory> list) {
    try {
      return list.get();
    } catch (MayflyException silent) {
      return new Inventory(List.of(), false, List.of(service + ": " + silent.getMessage()));
    }
  }
}
