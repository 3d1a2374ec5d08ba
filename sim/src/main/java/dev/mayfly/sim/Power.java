package dev.mayfly.sim;

import dev.mayfly.core.control.MachineEvent;
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
    var host = new Host(world, machine);
    world.hosts().put(host.worker(), host);
    host.boot();
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
