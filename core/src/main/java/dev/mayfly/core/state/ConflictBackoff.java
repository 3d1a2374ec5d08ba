package dev.mayfly.core.state;

import dev.mayfly.core.port.IdGenerator;
import java.time.Duration;

/**
 * The delay before a change that conflicted is retried: doubled each time, with a random share so
 * that instances differ.
 */
public final class ConflictBackoff {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final int DOUBLED = 5;

  private ConflictBackoff() {}

  /**
   * @param conflicts conflicts before this one
   */
  public static Duration delay(int conflicts, IdGenerator idGenerator) {
    var most = FIRST.multipliedBy(1L << Math.min(conflicts, DOUBLED));
    var share = Math.floorMod(idGenerator.next(8).hashCode(), 1_000);
    return most.plus(most.multipliedBy(share).dividedBy(1_000));
  }
}
