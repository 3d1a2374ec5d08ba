package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.job.JobSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * A job that will be submitted.
 *
 * @param number from 0; its inputs and outputs are in folders of that number
 * @param at when, from the start
 * @param stopAt when it is stopped, possibly before its submission
 * @param again when the same submission is published again
 * @param inputs the number of input objects, or 0
 * @param sealed how many of its tasks already have a foreign sentinel
 * @param tasks how its tasks go
 */
public record PlannedJob(
    int number,
    JobSpec spec,
    Duration at,
    Optional<Duration> stopAt,
    Optional<Duration> again,
    int inputs,
    int sealed,
    TaskModel tasks) {
  /** A job of tasks that succeed, from the shortest run to the longest. */
  public PlannedJob(
      int number,
      JobSpec spec,
      Duration at,
      Optional<Duration> stopAt,
      Optional<Duration> again,
      int inputs,
      int sealed,
      Duration shortest,
      Duration longest) {
    this(number, spec, at, stopAt, again, inputs, sealed, TaskModel.between(shortest, longest));
  }

  /** The submission id. */
  public String submission() {
    return "submission-" + number;
  }

  public PlannedJob with(JobSpec other) {
    return new PlannedJob(number, other, at, stopAt, again, inputs, sealed, tasks);
  }
}
