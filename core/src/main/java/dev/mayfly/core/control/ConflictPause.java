package dev.mayfly.core.control;

import dev.mayfly.core.port.Ids;
import java.time.Duration;

/**
 * How long to wait before a change is tried again that another process was quicker with: twice as
 * long each time, and not the same for all instances.
 */
final class ConflictPause {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final int DOUBLED = 5;

  private ConflictPause() {}

  /**
   * @param conflicts how many there were before this one
   */
  static Duration after(int conflicts, Ids ids) {
    var most = FIRST.multipliedBy(1L << Math.min(conflicts, DOUBLED));
    var share = Math.floorMod(ids.next(8).hashCode(), 1_000);
    return most.plus(most.multipliedBy(share).dividedBy(1_000));
  }
}
