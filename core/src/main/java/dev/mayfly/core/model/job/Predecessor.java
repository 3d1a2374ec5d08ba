package dev.mayfly.core.model.job;

import java.util.Optional;

/**
 * A job that must have ended before another one starts.
 *
 * @param job its name on the same cluster, or {@code OWNER/NAME}
 * @param uid which job of that name; empty until it is known
 * @param on which end lets the other job start
 */
public record Predecessor(String job, Optional<String> uid, On on) {
  /** Which end of a predecessor lets its successor start. */
  public enum On {
    SUCCESS,
    END;

    public boolean isMetBy(JobState.Result result) {
      return this == END || result == JobState.Result.SUCCEEDED;
    }
  }

  /** With the owner whose job it is: that of the successor, unless it names another. */
  public String address(Optional<String> successors) {
    return job.contains("/") ? job : JobAddress.of(successors, job);
  }

  public Predecessor withUid(Optional<String> known) {
    return new Predecessor(job, known, on);
  }
}
