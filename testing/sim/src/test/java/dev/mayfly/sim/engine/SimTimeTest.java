package dev.mayfly.sim.engine;

import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.ScheduledExecutorContract;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;

class SimTimeTest extends ScheduledExecutorContract {
  private final SimTime time = new SimTime(DocumentFixtures.T0);

  @Override
  protected ScheduledExecutor executor() {
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
