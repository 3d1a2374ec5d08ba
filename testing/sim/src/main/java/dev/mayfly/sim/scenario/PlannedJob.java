package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.job.JobSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * A job that somebody will submit.
 *
 * @param number from 0; its inputs and outputs are in folders of that number
 * @param at when, from the start
 * @param stopAt when somebody stops it, which may be before
 * @param again when the same submission is published once more
 * @param inputs how many input objects there are; 0 where the job has none
 * @param sealed how many of its tasks have a sentinel of somebody else's already
 * @param shortest how long a task runs at least
 * @param longest how long a task runs at most
 */
public record PlannedJob(
    int number,
    JobSpec spec,
    Duration at,
    Optional<Duration> stopAt,
    Optional<Duration> again,
    int inputs,
    int sealed,
    Duration shortest,
    Duration longest) {
  /** What the submitter chose as the submission's id. */
  public String submission() {
    return "submission-" + number;
  }
}
