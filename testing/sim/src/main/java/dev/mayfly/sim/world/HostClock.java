package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.sim.engine.SimTime;
import java.time.Duration;
import java.time.Instant;

/**
 * A machine's two clocks: both drift, the wall clock may step, the monotonic one stops while
 * suspended.
 */
public final class HostClock {
  private final SimTime time;
  private final Instant boot;
  private final double rate;
  private Duration step;
  private Duration suspended = Duration.ZERO;

  /**
   * @param rate speed of its oscillator: 1 is exact
   * @param step the offset of the wall clock
   */
  HostClock(SimTime time, double rate, Duration step) {
    this.time = time;
    this.boot = time.instant();
    this.rate = rate;
    this.step = step;
  }

  ClockReading now() {
    var up = Duration.between(boot, time.instant());
    var wall = boot.plusNanos(Math.round(up.toNanos() * rate)).plus(step);
    return new ClockReading(wall, Math.round(up.minus(suspended).toNanos() * rate));
  }

  /** The time until the monotonic clock has that value, if the machine stays awake. */
  Duration until(long monotonicNanos) {
    var left = monotonicNanos - now().monotonicNanos();
    return left <= 0 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil(left / rate));
  }

  public void stepBy(Duration by) {
    step = step.plus(by);
  }

  void slept(Duration time) {
    suspended = suspended.plus(time);
  }
}
