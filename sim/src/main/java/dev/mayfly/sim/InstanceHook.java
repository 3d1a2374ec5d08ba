package dev.mayfly.sim;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.sim.fake.Crash;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Hook;
import dev.mayfly.sim.fake.Scope;

/**
 * What happens around each port call of a function instance: others act in between, the call fails
 * before or after its effect, the instance dies.
 */
final class InstanceHook implements Hook {
  private final World world;
  private final Scope scope;

  InstanceHook(World world, Scope scope) {
    this.world = world;
    this.scope = scope;
  }

  @Override
  public void before(String call) {
    alive(call);
    world.overlaps().before(call, scope);
    alive(call);
    if (call.startsWith("ledger") && !world.skies().ledger)
      throw new Unavailable("the ledger is away");
    if (call.startsWith("objects") && !world.skies().objects)
      throw new Unavailable("the store is away");
    if (call.startsWith("fleet") && !world.skies().fleet)
      throw new Unavailable("the cloud does not answer");
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
      throw new Unavailable(call + " was refused");
  }

  @Override
  public void after(String call) {
    world.tally().object(call);
    world.overlaps().after(call, scope);
    alive(call);
    world.effects().happened(call, scope);
    if (world.weather().strikes(Fault.CRASH)) throw new Crash(call);
    var lost =
        switch (call) {
          case "ledger.commit" -> world.weather().strikes(Fault.LEDGER_OUTCOME_UNKNOWN);
          case "objects.create", "objects.replace", "objects.delete" ->
              world.weather().strikes(Fault.OBJECTS_REPLY_LOST);
          case "fleet.order" -> world.weather().strikes(Fault.ORDER_ERROR_BUT_MADE);
          case "fleet.delete" -> world.weather().strikes(Fault.DELETE_ERROR_BUT_DONE);
          default -> false;
        };
    if (lost) throw new Unavailable("the reply to " + call + " was lost");
  }

  private void alive(String call) {
    if (!scope.alive()) throw new Crash(call + " of a dead instance");
  }
}
