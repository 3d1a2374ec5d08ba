package dev.mayfly.sim;

import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.port.Machine;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimMachine;
import java.util.stream.Stream;

/** What the cloud does to machines, done to the hosts that run on them. */
final class Power implements SimFleet.Power {
  private final World world;

  Power(World world) {
    this.world = world;
  }

  @Override
  public void on(SimMachine machine) {
    world.trace().add(machine + " is on");
    var hosts = hosts(machine);
    for (var i = 0; i < hosts; i++) {
      var host = new Host(world, machine, i, hosts);
      world.hosts().put(host.name(), host);
      host.boot();
    }
  }

  private int hosts(SimMachine machine) {
    var pool = machine.labels().getOrDefault(Machine.POOL, "");
    return world
        .scenario()
        .cluster()
        .pool(pool)
        .flatMap(p -> TpuTypes.of(p.machineType()))
        .map(TpuTypes.Tpu::hosts)
        .orElse(1);
  }

  @Override
  public void off(SimMachine machine) {
    world.trace().add(machine + " is off");
    of(machine).forEach(Host::powerOff);
  }

  @Override
  public void notice(SimMachine machine) {
    of(machine).forEach(Host::notice);
  }

  @Override
  public void deleteAsked(SimMachine machine) {
    world.trace().add("delete " + machine);
    world.checks().deleteAsked(machine);
  }

  @Override
  public void logged(SimMachine machine, MachineEvent.Kind kind) {
    world.gateway().log().entry(machine, kind);
  }

  private Stream<Host> of(SimMachine machine) {
    return world.hosts().values().stream().filter(h -> h.machine() == machine);
  }
}
