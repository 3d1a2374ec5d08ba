package dev.mayfly.core.model.gang;

import java.time.Instant;

/** The phase of a run. Every phase that waits for hosts has a deadline. */
public sealed interface GangPhase {
  /** Every host fetches image and code and checks that its devices are free. Nothing runs. */
  record Prepare(Instant since, Instant deadline) implements GangPhase {}

  /**
   * All hosts were prepared and start.
   *
   * @param startBy when the last host must have started
   * @param deadline the job's own time limit
   */
  record Run(Instant since, Instant startBy, Instant deadline) implements GangPhase {}

  /** The first host ended well; the others must end, too, within the job's settle time. */
  record Settle(Instant since, Instant deadline) implements GangPhase {}

  /** All hosts exited with 0: rank 0 alone publishes the result. */
  record Publish(Instant since, Instant deadline) implements GangPhase {}

  /** A host failed or a deadline passed: every host kills its part and confirms it. */
  record Kill(Instant since, Instant deadline, GangFault fault) implements GangPhase {
    /** The same kill with a better explanation. */
    public Kill withFault(GangFault other) {
      return new Kill(since, deadline, other);
    }
  }

  /** Published. */
  record Done(Instant since) implements GangPhase {}

  /** Failed, with nothing left on any host: the next run may prepare. */
  record Cleared(Instant since, GangFault fault) implements GangPhase {}

  Instant since();

  default boolean ended() {
    return this instanceof Done || this instanceof Cleared;
  }
}
