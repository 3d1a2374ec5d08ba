package dev.mayfly.sim.fake;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.TriggerBusContract;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fault.FaultInjector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

class SimTriggerBusTest extends TriggerBusContract {
  private final SimTime time = new SimTime(DocumentFixtures.T0);
  private final Queue<Trigger> arrived = new ArrayDeque<>();
  private final SimTriggerBus bus =
      new SimTriggerBus(
          time, new SimRandom(7), FaultInjector.none(new Trace(time, 1)), arrived::add);

  @Override
  protected TriggerBus bus() {
    return bus;
  }

  @Override
  protected Trigger next() {
    time.advance(Duration.ofMinutes(1));
    return arrived.remove();
  }
}
