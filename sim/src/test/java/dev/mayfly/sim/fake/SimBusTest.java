package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import dev.mayfly.porttests.BusContract;
import dev.mayfly.porttests.Samples;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

class SimBusTest extends BusContract {
  private final SimTime time = new SimTime(Samples.T0);
  private final Queue<Hint> arrived = new ArrayDeque<>();
  private final SimBus bus =
      new SimBus(time, new Dice(7), Weather.calm(new Trace(time, 1)), arrived::add);

  @Override
  protected Bus bus() {
    return bus;
  }

  @Override
  protected Hint next() {
    time.pass(Duration.ofMinutes(1));
    return arrived.remove();
  }
}
