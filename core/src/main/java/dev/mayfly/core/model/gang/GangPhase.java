package dev.mayfly.core.model.gang;

import java.time.Instant;

/** Where a run is. Every phase that waits for hosts has a deadline. */
public sealed interface GangPhase {
  /** Every host fetches image and code and sees that its devices are free. Nothing runs. */
  record Prepare(Instant since, Instant deadline) implements GangPhase {}

  /**
   * All were prepared, and start.
   *
   * @param startBy when the last host has to have started
   * @param deadline the job's own time limit
   */
  record Run(Instant since, Instant startBy, Instant deadline) implements GangPhase {}

  /** The first host ended well; the others are to end, too, in the time that the job gives them. */
  record Settle(Instant since, Instant deadline) implements GangPhase {}

  /** All ended with 0: rank 0, and nobody else, brings the result into the store. */
  record Publish(Instant since, Instant deadline) implements GangPhase {}

  /** Something failed: every host ends what it has, and says so. */
  record Kill(Instant since, Instant deadline, GangFault fault) implements GangPhase {
    /** The same end, explained better. */
    public Kill withFault(GangFault other) {
      return new Kill(since, deadline, other);
    }
  }

  /** Published. */
  record Done(Instant since) implements GangPhase {}

  /** Failed, and proved to be nowhere any more: the next run may prepare. */
  record Cleared(Instant since, GangFault fault) implements GangPhase {}

  Instant since();

  default boolean ended() {
    return this instanceof Done || this instanceof Cleared;
  }
}
