package dev.mayfly.core.agent.loop;

import java.time.Duration;
import java.time.Instant;

/**
 * Both clocks of a machine, read at one moment. The wall clock shows clock steps. A suspension
 * shows in their difference, because the monotonic clock stops while the wall clock continues.
 *
 * @param monotonicNanos from any origin; never decreases
 */
public record ClockReading(Instant wall, long monotonicNanos) {
  /**
   * The time since {@code then} by the clock that shows more: the safe answer before anything
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

  /** How much the two clocks disagree about the time since {@code then}. */
  public Duration disagreement(ClockReading then) {
    return Duration.between(then.wall, wall).minus(monotonicSince(then)).abs();
  }

  public ClockReading plus(Duration time) {
    return new ClockReading(wall.plus(time), monotonicNanos + time.toNanos());
  }
}
