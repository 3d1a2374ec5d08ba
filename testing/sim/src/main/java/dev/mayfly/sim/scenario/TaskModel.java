package dev.mayfly.sim.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * How the tasks of a job go.
 *
 * @param runs how long an attempt runs that is left alone; the same for each attempt of a task
 * @param failing the part of attempts that fail by their own fault, half way, from 0 to 1
 * @param checkpoints how often an attempt stores one, from which the next attempt continues; empty
 *     for never
 */
public record TaskModel(DurationModel runs, double failing, Optional<Duration> checkpoints) {
  /** Tasks without checkpoints. */
  public TaskModel(DurationModel runs, double failing) {
    this(runs, failing, Optional.empty());
  }

  /** The same tasks with a checkpoint every so often. */
  public TaskModel withCheckpoints(Duration every) {
    return new TaskModel(runs, failing, Optional.of(every));
  }

  /** Tasks that succeed, and run for as long as is said. */
  public static TaskModel between(Duration shortest, Duration longest) {
    return new TaskModel(new DurationModel.Uniform(shortest, longest), 0);
  }

  /** Tasks that succeed, each after the same time. */
  public static TaskModel each(Duration runs) {
    return between(runs, runs);
  }
}
