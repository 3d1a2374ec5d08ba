package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Schedule;
import dev.mayfly.porttests.ScheduleContract;

class SimScheduleTest extends ScheduleContract {
  private final SimSchedule schedule = new SimSchedule();

  @Override
  protected Schedule schedule() {
    return schedule;
  }
}
