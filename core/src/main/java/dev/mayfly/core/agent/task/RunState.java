package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.job.Sentinel;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of one attempt: Running → (Killing →) gone, or Running → Uploading → Sealing → gone,
 * with Retrying between two tries of a publication, and with Discarding instead of Uploading for
 * what is no result. It holds its resources while it is Running or Killing.
 */
public sealed interface RunState {
  /** Whether it holds resources: its processes may be alive. */
  default boolean onMachine() {
    return this instanceof Running
        || this instanceof Killing
        || this instanceof Preparing
        || this instanceof Prepared;
  }

  /** In a gang: everything that a start needs is being fetched. */
  record Preparing() implements RunState {}

  /** In a gang: ready to start when all others are. */
  record Prepared(GangContact contact) implements RunState {}

  /** In a gang: the command ended, and the control plane decides what comes next. */
  record AwaitingGang(Ending ending) implements RunState {}

  /**
   * How the command ended.
   *
   * @param cause of an end that is no success
   * @param succeeded whether it ended with 0, and what it left may be a result
   */
  record Ending(ProcessEnd process, FailureCause cause, String text, boolean succeeded) {}

  record Running() implements RunState {}

  /** It was denied what its start needs, and fails a moment later, so that tries are far apart. */
  record Refused() implements RunState {}

  /**
   * What an attempt waits for instead of going on.
   *
   * @param until when the attempt is given up
   */
  record Stall(String why, Instant until) {}

  /**
   * A kill was requested and is not confirmed yet.
   *
   * @param cause the failure to report; empty if it is not to be reported
   */
  record Killing(Optional<FailureCause> cause, String evidence) implements RunState {}

  /** The command has ended: its result is in transit, or what is no result is being deleted. */
  sealed interface Publishing extends RunState {
    Tries tries();

    /** How the attempt ended, if what it left is no result. */
    default Optional<Ending> rejected() {
      return Optional.empty();
    }
  }

  record Uploading(Tries tries) implements Publishing {}

  record Sealing(Sentinel sentinel, Tries tries) implements Publishing {}

  /** What the command wrote at its output is no result, and is being deleted. */
  record Discarding(Ending ending, Tries tries) implements Publishing {
    @Override
    public Optional<Ending> rejected() {
      return Optional.of(ending);
    }
  }

  /**
   * The store was unavailable, or denied it; {@code next} will be retried.
   *
   * @param holdsOthers whether no other task starts meanwhile
   */
  record Retrying(Publishing next, boolean holdsOthers) implements Publishing {
    @Override
    public Tries tries() {
      return next.tries();
    }

    @Override
    public Optional<Ending> rejected() {
      return next.rejected();
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
