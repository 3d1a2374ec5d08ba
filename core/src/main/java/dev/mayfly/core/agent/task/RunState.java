package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.Sentinel;
import java.util.Optional;

/**
 * Where one attempt is: Running → (Killing →) gone, or Running → Uploading → Sealing → gone, with
 * Retrying between two tries of a publication. It holds its share of the machine while it is
 * Running or Killing.
 */
public sealed interface RunState {
  /** It holds resources: processes of it may live. */
  default boolean onMachine() {
    return this instanceof Running
        || this instanceof Killing
        || this instanceof Preparing
        || this instanceof Prepared;
  }

  /** In a gang: everything that a start needs is being brought. */
  record Preparing() implements RunState {}

  /** In a gang: it starts when all others can. */
  record Prepared() implements RunState {}

  /**
   * In a gang: the command ended, and what comes next is not this host's to say.
   *
   * @param cause of an exit that is not 0
   */
  record AwaitingGang(int exitCode, FailureCause cause, String text) implements RunState {}

  record Running() implements RunState {}

  /**
   * Told to end; not confirmed yet.
   *
   * @param cause what it is reported as; empty if it is not to be reported
   */
  record Killing(Optional<FailureCause> cause, String evidence) implements RunState {}

  /** The command ended with 0 and a result is on its way. */
  sealed interface Publishing extends RunState {
    Tries tries();
  }

  record Uploading(Tries tries) implements Publishing {}

  record Sealing(Sentinel sentinel, Tries tries) implements Publishing {}

  /** The store was away; {@code next} is tried again. */
  record Retrying(Publishing next) implements Publishing {
    @Override
    public Tries tries() {
      return next.tries();
    }
  }

  /**
   * @param since when the publication began
   * @param failed how many tries failed
   */
  record Tries(ClockReading since, int failed) {
    Tries withFailure() {
      return new Tries(since, failed + 1);
    }
  }
}
