package dev.mayfly.core.model.job;

import dev.mayfly.core.model.FailureCause;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Where a job is in its life. */
public sealed interface JobState {
  /**
   * Its tasks are being listed.
   *
   * @param after the name of the last object listed, empty at the beginning
   * @param counted tasks listed so far
   * @param cut tasks already in shards, once all are listed; -1 before
   * @param workedUntil until when a call is at it, which renews this with each step; nobody is if
   *     it is empty or has passed
   */
  record Expanding(String after, long counted, long cut, Optional<Instant> workedUntil)
      implements JobState {
    /** Nobody is at it. */
    public Expanding(String after, long counted, long cut) {
      this(after, counted, cut, Optional.empty());
    }
  }

  record Running(Instant since) implements JobState {}

  /** Nothing new is leased, and what runs is recalled. */
  record Stopping(Instant since, String by) implements JobState {}

  /**
   * Outputs are compared with sentinels and done bits, and the outcome is written.
   *
   * @param audited what was compared so far
   * @param workedUntil as of {@link Expanding}
   */
  record Finishing(
      Instant since, boolean stopped, Optional<Audited> audited, Optional<Instant> workedUntil)
      implements JobState {
    /** Nobody has begun. */
    public Finishing(Instant since, boolean stopped) {
      this(since, stopped, Optional.empty(), Optional.empty());
    }
  }

  /**
   * The first part of a job's tasks, compared.
   *
   * @param tasks how many
   * @param shard a shard that begins before the next task, and from which on shards are read
   * @param shards how many begin in this part
   * @param attempts how many attempts in those ended by each cause
   */
  record Audited(
      long tasks,
      long shard,
      long shards,
      long done,
      long failed,
      long notRun,
      long inconsistent,
      Map<FailureCause, Long> attempts) {
    public static final Audited NOTHING = new Audited(0, 0, 0, 0, 0, 0, 0, Map.of());

    public Audited {
      attempts = Map.copyOf(attempts);
    }
  }

  record Ended(Instant since, Result result, String reason) implements JobState {}

  /** How a job ended. */
  enum Result {
    SUCCEEDED,
    FAILED,
    STOPPED
  }

  Instant NEVER = Instant.EPOCH;

  /** Until when a call is at what the state says is to be done; empty where nobody is. */
  default Optional<Instant> workedUntil() {
    return Optional.empty();
  }

  /** Whether a call is at it, so that another one would only do the same. */
  default boolean isWorkedOn(Instant now) {
    return workedUntil().filter(now::isBefore).isPresent();
  }

  default boolean ended() {
    return this instanceof Ended;
  }
}
