package dev.mayfly.sim.engine;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.porttests.AlarmsContract;
import dev.mayfly.porttests.DocumentFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;

class SimTimeTest extends AlarmsContract {
  private final SimTime time = new SimTime(DocumentFixtures.T0);

  @Override
  protected Alarms alarms() {
    return time;
  }

  @Override
  protected Instant now() {
    return time.instant();
  }

  @Override
  protected String next(BlockingQueue<String> rung) {
    if (rung.isEmpty()) time.step(time.instant().plus(Duration.ofMinutes(1)));
    return rung.remove();
  }
}
