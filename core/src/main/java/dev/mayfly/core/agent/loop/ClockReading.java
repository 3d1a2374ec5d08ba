package dev.mayfly.core.agent.loop;

import java.time.Duration;
import java.time.Instant;

/**
 * Both of a machine's clocks at one moment. A step of the wall clock shows in the one, a suspended
 * machine in their difference: the monotonic clock stands still while the wall clock goes on.
 *
 * @param monotonicNanos from any origin; never goes back
 */
public record ClockReading(Instant wall, long monotonicNanos) {
  /**
   * How long ago {@code then} was, by the clock that says more: the careful answer before anything
   * durable.
   */
  public Duration since(ClockReading then) {
    var monotonic = monotonicSince(then);
    var wallSince = Duration.between(then.wall, wall);
    return wallSince.compareTo(monotonic) > 0 ? wallSince : monotonic;
  }

  public Duration monotonicSince(ClockReading then) {
    return Duration.ofNanos(monotonicNanos - then.monotonicNanos);
  }

  /** By how much the two clocks disagree about the time since {@code then}. */
  public Duration disagreement(ClockReading then) {
    return Duration.between(then.wall, wall).minus(monotonicSince(then)).abs();
  }

  public ClockReading plus(Duration time) {
    return new ClockReading(wall.plus(time), monotonicNanos + time.toNanos());
  }
}
