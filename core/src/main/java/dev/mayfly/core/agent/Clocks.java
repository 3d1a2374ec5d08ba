package dev.mayfly.core.agent;

import java.time.Duration;
import java.time.Instant;

/**
 * Both of a machine's clocks at one moment. A step of the wall clock shows in the one, a suspended
 * machine in their difference: the monotonic clock stands still while the wall clock goes on.
 *
 * @param monotonicNanos from any origin; never goes back
 */
public record Clocks(Instant wall, long monotonicNanos) {
  /**
   * How long ago {@code then} was, by the clock that says more: the careful answer before anything
   * durable.
   */
  public Duration since(Clocks then) {
    var monotonic = monotonicSince(then);
    var wallSince = Duration.between(then.wall, wall);
    return wallSince.compareTo(monotonic) > 0 ? wallSince : monotonic;
  }

  public Duration monotonicSince(Clocks then) {
    return Duration.ofNanos(monotonicNanos - then.monotonicNanos);
  }

  /** By how much the two clocks disagree about the time since {@code then}. */
  public Duration disagreement(Clocks then) {
    return Duration.between(then.wall, wall).minus(monotonicSince(then)).abs();
  }

  public Clocks plus(Duration time) {
    return new Clocks(wall.plus(time), monotonicNanos + time.toNanos());
  }
}
