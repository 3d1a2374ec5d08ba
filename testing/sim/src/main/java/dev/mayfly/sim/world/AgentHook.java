package dev.mayfly.sim.world;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimulatedCrash;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.PortHook;

/** Faults around each of an agent's calls to the object store. */
final class AgentHook implements PortHook {
  private final World world;
  private final SimProcess agent;

  AgentHook(World world, SimProcess agent) {
    this.world = world;
    this.agent = agent;
  }

  @Override
  public void before(String call) {
    alive(call);
    world.overlaps().duringAgentCall();
    alive(call);
    world.skies().checkObjects();
    if (!world.skies().objects || world.weather().strikes(Fault.OBJECTS_UNAVAILABLE))
      throw new UnavailableException(call + ": 503");
  }

  @Override
  public void after(String call) {
    world.tally().object(call);
    if (world.weather().strikes(Fault.CRASH)) throw new SimulatedCrash(agent + " after " + call);
    var writes = call.equals("objects.create") || call.equals("objects.replace");
    if (writes && world.weather().strikes(Fault.OBJECTS_REPLY_LOST))
      throw new UnavailableException("the reply to " + call + " was lost");
  }

  private void alive(String call) {
    if (!agent.alive()) throw new SimulatedCrash(call + " of a dead agent");
  }
}
