package dev.mayfly.sim.fake;

import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.porttests.TickSchedulerContract;

class SimTickSchedulerTest extends TickSchedulerContract {
  private final SimTickScheduler schedule = new SimTickScheduler();

  @Override
  protected TickScheduler schedule() {
    return schedule;
  }
}
