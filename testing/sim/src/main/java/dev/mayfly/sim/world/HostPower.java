package dev.mayfly.sim.world;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.sim.fake.FleetObserver;
import dev.mayfly.sim.fake.SimMachine;
import java.util.Optional;
import java.util.stream.Stream;

/** Applies the cloud's power events to the hosts on its machines. */
final class HostPower implements FleetObserver {
  private final World world;

  HostPower(World world) {
    this.world = world;
  }

  @Override
  public void on(SimMachine machine) {
    world.trace().add(machine + " is on");
    var hosts = hosts(machine);
    for (var i = 0; i < hosts; i++) {
      var simHost = new SimHost(world, machine, i, hosts);
      world.hosts().put(simHost.name(), simHost);
      simHost.boot();
    }
  }

  private int hosts(SimMachine machine) {
    var pool = machine.labels().getOrDefault(CloudMachine.POOL, "");
    return world
        .scenario()
        .cluster()
        .pool(pool)
        .or(() -> later(pool))
        .flatMap(p -> TpuTypes.of(p.machineType()))
        .map(TpuTypes.Tpu::hosts)
        .orElse(1);
  }

  /** A pool that the cluster did not have at first. */
  private Optional<PoolSpec> later(String pool) {
    return world.truth().all(Cluster.class).stream()
        .flatMap(cluster -> cluster.spec().pool(pool).stream())
        .findFirst();
  }

  @Override
  public void off(SimMachine machine) {
    world.trace().add(machine + " is off");
    of(machine).forEach(SimHost::powerOff);
  }

  @Override
  public void notice(SimMachine machine) {
    of(machine).forEach(SimHost::notice);
  }

  @Override
  public void deleteAsked(SimMachine machine) {
    world.trace().add("delete " + machine);
    world.checks().deleteAsked(machine);
  }

  @Override
  public void expired(SimMachine machine) {
    world.trace().add("life of " + machine + " is over");
    world.checks().expired(machine);
  }

  @Override
  public void logged(SimMachine machine, MachineEvent.Kind kind) {
    world.gateway().log().entry(machine, kind);
  }

  private Stream<SimHost> of(SimMachine machine) {
    return world.hosts().values().stream().filter(h -> h.machine() == machine);
  }
}
