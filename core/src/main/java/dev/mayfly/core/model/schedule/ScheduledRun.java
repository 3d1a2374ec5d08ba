package dev.mayfly.core.model.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * What became of a time of a schedule.
 *
 * @param due the time; that of the command for one that a person asked for
 * @param outcome whether its job was submitted, and if not, whose doing that was
 * @param job the uid of its job; absent if there is none
 * @param name of its job, also of one that was refused
 * @param why in words; absent if its job was submitted
 */
public record ScheduledRun(
    Instant due, Outcome outcome, Optional<String> job, String name, Optional<String> why) {
  /** Whether its job was submitted, and if not, whose doing that was. */
  public enum Outcome {
    SUBMITTED,
    /** The job before had not ended. */
    SKIPPED,
    /** The cluster refused the job; the next time tries again. */
    REFUSED
  }
}
