package dev.mayfly.sim;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.sim.fake.Crash;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Hook;
import dev.mayfly.sim.fake.Scope;

/** What happens around each call that an agent makes to the object store. */
final class AgentHook implements Hook {
  private final World world;
  private final Scope agent;

  AgentHook(World world, Scope agent) {
    this.world = world;
    this.agent = agent;
  }

  @Override
  public void before(String call) {
    alive(call);
    world.overlaps().amidAgent();
    alive(call);
    world.skies().checkObjects();
    if (!world.skies().objects || world.weather().strikes(Fault.OBJECTS_UNAVAILABLE))
      throw new Unavailable(call + ": 503");
  }

  @Override
  public void after(String call) {
    world.tally().object(call);
    if (world.weather().strikes(Fault.CRASH)) throw new Crash(agent + " after " + call);
    var writes = call.equals("objects.create") || call.equals("objects.replace");
    if (writes && world.weather().strikes(Fault.OBJECTS_REPLY_LOST))
      throw new Unavailable("the reply to " + call + " was lost");
  }

  private void alive(String call) {
    if (!agent.alive()) throw new Crash(call + " of a dead agent");
  }
}
