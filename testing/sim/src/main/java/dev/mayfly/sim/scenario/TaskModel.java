package dev.mayfly.sim.scenario;

import java.time.Duration;

/**
 * How the tasks of a job go.
 *
 * @param runs how long an attempt runs that is left alone; the same for each attempt of a task
 * @param failing the part of attempts that fail by their own fault, half way, from 0 to 1
 */
public record TaskModel(DurationModel runs, double failing) {
  /** Tasks that succeed, and run for as long as is said. */
  public static TaskModel between(Duration shortest, Duration longest) {
    return new TaskModel(new DurationModel.Uniform(shortest, longest), 0);
  }

  /** Tasks that succeed, each after the same time. */
  public static TaskModel each(Duration runs) {
    return between(runs, runs);
  }
}
