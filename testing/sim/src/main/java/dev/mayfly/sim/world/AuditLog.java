package dev.mayfly.sim.world;

import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;

/**
 * The cloud's audit log of ended machines, whose entries reach the control plane within seconds,
 * late, twice or never. A world without {@link Fault#MACHINE_EVENTS} has no log, and must come to
 * the same results.
 */
public final class AuditLog {
  private final World world;
  private final SimRandom simRandom;
  private boolean on;

  AuditLog(World world) {
    this.world = world;
    simRandom = world.dice().of("audit log");
    on = world.weather().has(Fault.MACHINE_EVENTS);
  }

  /** Starts the delivery of entries. */
  public void on() {
    on = true;
  }

  /** Stops the delivery after the storm: ticks alone must suffice. */
  void off() {
    on = false;
  }

  public void entry(SimMachine machine, MachineEvent.Kind kind) {
    if (!on || machine.foreign()) return;
    if (world.weather().has(Fault.MACHINE_EVENTS))
      world.weather().recordStrike(Fault.MACHINE_EVENTS, machine + " " + kind);
    if (world.weather().strikes(Fault.EVENT_LOST)) return;
    var event = event(machine, machine.id(), kind);
    send(event, delay());
    if (world.weather().strikes(Fault.EVENT_DOUBLE)) send(event, delay());
  }

  /** Delivers a stale entry about an earlier machine of that name. */
  public void ofAnother(SimMachine machine) {
    if (on) send(event(machine, machine.id() + "0", MachineEvent.Kind.HOST_ERROR), delay());
  }

  private Duration delay() {
    return world.weather().strikes(Fault.EVENT_LATE)
        ? world.weather().dice(Fault.EVENT_LATE).seconds(20, 1_800)
        : simRandom.millis(500, 3_000);
  }

  private MachineEvent event(SimMachine machine, String id, MachineEvent.Kind kind) {
    var name = machine.name();
    return new MachineEvent(name.zone(), name.name(), id, kind, world.time().instant());
  }

  private void send(MachineEvent event, Duration after) {
    world.time().after(after, () -> world.gateway().deliver(event));
  }
}
