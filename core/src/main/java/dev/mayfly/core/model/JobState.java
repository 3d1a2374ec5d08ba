package dev.mayfly.core.model;

import java.time.Instant;

/** Where a job is in its life. {@code dev.mayfly.core.job.JobLifecycle} has the one table. */
public sealed interface JobState {
  /**
   * Its tasks are being listed.
   *
   * @param after the name of the last object listed, empty at the beginning
   * @param counted tasks listed so far
   * @param cut tasks already in shards, once all are listed; -1 before
   */
  record Expanding(String after, long counted, long cut) implements JobState {}

  record Running(Instant since) implements JobState {}

  /** Nothing new is leased, and what runs is recalled. */
  record Stopping(Instant since, String by) implements JobState {}

  /** Outputs are compared with sentinels and done bits, and the outcome is written. */
  record Finishing(Instant since, boolean stopped) implements JobState {}

  record Ended(Instant since, Result result, String reason) implements JobState {}

  /** How a job ended. */
  enum Result {
    SUCCEEDED,
    FAILED,
    STOPPED
  }

  Instant NEVER = Instant.EPOCH;

  default boolean ended() {
    return this instanceof Ended;
  }
}
