package dev.mayfly.local.machines.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The contract speaks of ordinary machines; here these are TPUs of one type, bought one way. */
record TpuOnlyFleet(Fleet inner, String type, Provisioning how) implements Fleet {
  /** The same order for a TPU. */
  static Order typed(Order order, String type) {
    return typed(order, type, order.pool().provisioning(), made -> made);
  }

  static Order typed(
      Order order, String type, Provisioning how, UnaryOperator<MachineSpec> changed) {
    var pool = order.pool();
    var other =
        new PoolSpec(
            pool.name(),
            type,
            pool.visible(),
            pool.zones(),
            how,
            pool.min(),
            pool.max(),
            pool.idleAfter(),
            pool.life(),
            changed.apply(MachineSpec.tpu(type, "tpu-ubuntu2204-base")));
    return new Order(tpu(order.name()), other, order.labels(), order.metadata(), order.requestId());
  }

  /** By a reservation, where they are bought so. */
  private MachineSpec paid(MachineSpec made) {
    return how == Provisioning.RESERVED ? reservation(made) : made;
  }

  static MachineSpec reservation(MachineSpec made) {
    return new MachineSpec(
        made.tpu(),
        made.gpu(),
        made.image(),
        made.diskGb(),
        made.diskType(),
        made.network(),
        made.subnetwork(),
        Optional.of("r1"),
        made.compact());
  }

  static CloudMachine.Name tpu(CloudMachine.Name name) {
    return new CloudMachine.Name(CloudMachine.Kind.TPU, name.zone(), name.name());
  }

  @Override
  public Ordered order(Order order) {
    return switch (inner.order(typed(order, type, how, this::paid))) {
      case Ordered.Exists(var there) -> new Ordered.Exists(plain(there));
      case Ordered.Accepted accepted -> accepted;
      case Ordered.Refused refused -> refused;
    };
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    return inner.progress(tpu(name), operation);
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return inner.find(tpu(name)).map(TpuOnlyFleet::plain);
  }

  @Override
  public boolean delete(CloudMachine.Name name) {
    return inner.delete(tpu(name));
  }

  @Override
  public Inventory list() {
    var all = inner.list();
    return new Inventory(
        all.machines().stream().map(TpuOnlyFleet::plain).toList(), all.complete(), all.warnings());
  }

  private static CloudMachine plain(CloudMachine node) {
    assertThat(node.name().kind()).isEqualTo(CloudMachine.Kind.TPU);
    var name = new CloudMachine.Name(node.name().zone(), node.name().name());
    return new CloudMachine(name, node.id(), node.status(), node.labels(), node.createdAt());
  }
}
