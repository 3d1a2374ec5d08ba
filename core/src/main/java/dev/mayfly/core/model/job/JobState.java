package dev.mayfly.core.model.job;

import dev.mayfly.core.model.FailureCause;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The state of a job. */
public sealed interface JobState {
  /**
   * Its tasks are being listed.
   *
   * @param after the name of the last object listed, empty at the beginning
   * @param counted tasks listed so far
   * @param cut tasks already in shards, once all are listed; -1 before
   * @param workedUntil until when a call claims the work, renewed with each step; unclaimed if
   *     empty or past
   */
  record Expanding(String after, long counted, long cut, Optional<Instant> workedUntil)
      implements JobState {
    /** Unclaimed. */
    public Expanding(String after, long counted, long cut) {
      this(after, counted, cut, Optional.empty());
    }
  }

  record Running(Instant since) implements JobState {}

  /** Nothing new is leased, and running tasks are recalled. */
  record Stopping(Instant since, String by) implements JobState {}

  /**
   * Outputs are compared with sentinels and done bits, and the outcome is written.
   *
   * @param audited what was compared so far
   * @param workedUntil as in {@link Expanding}
   */
  record Finishing(
      Instant since, boolean stopped, Optional<Audited> audited, Optional<Instant> workedUntil)
      implements JobState {
    /** Unclaimed, with nothing compared yet. */
    public Finishing(Instant since, boolean stopped) {
      this(since, stopped, Optional.empty(), Optional.empty());
    }
  }

  /**
   * The compared first part of a job's tasks.
   *
   * @param tasks how many
   * @param shard a shard that starts before the next task; reading of shards resumes there
   * @param shards how many start in this part
   * @param attempts ended attempts in these shards, by cause
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

  enum Result {
    SUCCEEDED,
    FAILED,
    STOPPED
  }

  Instant NEVER = Instant.EPOCH;

  /** Until when a call claims the state's work; empty if unclaimed. */
  default Optional<Instant> workedUntil() {
    return Optional.empty();
  }

  /** Whether a call is doing the work, so that another one would only duplicate it. */
  default boolean isWorkedOn(Instant now) {
    return workedUntil().filter(now::isBefore).isPresent();
  }

  default boolean ended() {
    return this instanceof Ended;
  }
}
