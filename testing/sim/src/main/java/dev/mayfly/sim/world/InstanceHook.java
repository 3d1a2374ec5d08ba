package dev.mayfly.sim.world;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimulatedCrash;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.PortHook;

/**
 * Faults around each port call of a function instance: others act in between, the call fails before
 * or after its effect, the instance dies.
 */
final class InstanceHook implements PortHook {
  private final World world;
  private final SimProcess simProcess;

  InstanceHook(World world, SimProcess simProcess) {
    this.world = world;
    this.simProcess = simProcess;
  }

  @Override
  public void before(String call) {
    alive(call);
    world.overlaps().before(call, simProcess);
    alive(call);
    if (call.startsWith("ledger") && !world.skies().ledger)
      throw new UnavailableException("the ledger is away");
    if (call.startsWith("objects") && !world.skies().objects)
      throw new UnavailableException("the store is away");
    if (call.startsWith("fleet") && !world.skies().fleet)
      throw new UnavailableException("the cloud does not answer");
    if (call.startsWith("ledger")) world.skies().checkLedger();
    if (call.startsWith("objects")) world.skies().checkObjects();
    var fault =
        switch (call.substring(0, call.indexOf('.'))) {
          case "ledger" -> Fault.LEDGER_UNAVAILABLE;
          case "objects" -> Fault.OBJECTS_UNAVAILABLE;
          case "fleet" -> Fault.FLEET_UNAVAILABLE;
          default -> Fault.BUS_LOSE;
        };
    if (fault != Fault.BUS_LOSE && world.weather().strikes(fault))
      throw new UnavailableException(call + " was refused");
  }

  @Override
  public void after(String call) {
    world.tally().object(call);
    world.overlaps().after(call, simProcess);
    alive(call);
    world.effects().happened(call, simProcess);
    if (world.weather().strikes(Fault.CRASH)) throw new SimulatedCrash(call);
    var lost =
        switch (call) {
          case "ledger.commit" -> world.weather().strikes(Fault.LEDGER_OUTCOME_UNKNOWN);
          case "objects.create", "objects.replace", "objects.delete" ->
              world.weather().strikes(Fault.OBJECTS_REPLY_LOST);
          case "fleet.order" -> world.weather().strikes(Fault.ORDER_ERROR_BUT_MADE);
          case "fleet.delete" -> world.weather().strikes(Fault.DELETE_ERROR_BUT_DONE);
          default -> false;
        };
    if (lost) throw new UnavailableException("the reply to " + call + " was lost");
  }

  private void alive(String call) {
    if (!simProcess.alive()) throw new SimulatedCrash(call + " of a dead instance");
  }
}
