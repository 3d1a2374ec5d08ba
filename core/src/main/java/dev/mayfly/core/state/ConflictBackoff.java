package dev.mayfly.core.state;

import dev.mayfly.core.port.IdGenerator;
import java.time.Duration;

/**
 * How long to wait before a change is tried again that another process was quicker with: twice as
 * long each time, and not the same for all instances.
 */
public final class ConflictBackoff {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final int DOUBLED = 5;

  private ConflictBackoff() {}

  /**
   * @param conflicts how many there were before this one
   */
  public static Duration delay(int conflicts, IdGenerator idGenerator) {
    var most = FIRST.multipliedBy(1L << Math.min(conflicts, DOUBLED));
    var share = Math.floorMod(idGenerator.next(8).hashCode(), 1_000);
    return most.plus(most.multipliedBy(share).dividedBy(1_000));
  }
}
