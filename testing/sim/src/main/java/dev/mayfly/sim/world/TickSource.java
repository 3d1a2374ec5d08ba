package dev.mayfly.sim.world;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;

/**
 * The messages of the two scheduled jobs: each minute, or while ticks are paused a cleanup each
 * hour.
 */
final class TickSource {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int HOUR = 60;

  private final World world;
  private int paused;
  private int missed;

  TickSource(World world) {
    this.world = world;
  }

  void plan() {
    world.time().after(MINUTE, this::tick);
  }

  private void tick() {
    plan();
    if (!world.skies().ticks) {
      missed++;
      return;
    }
    for (; missed > 0; missed--) world.gateway().deliver(new Trigger.Tick());
    if (world.weather().strikes(Fault.TICK_LOST)) return;
    if (world.schedule().paused()) {
      if (++paused % HOUR == 0) world.gateway().deliverSweep();
      return;
    }
    world.gateway().deliverTick();
    if (world.weather().strikes(Fault.TICK_DOUBLE)) world.gateway().deliver(new Trigger.Tick());
  }
}
