package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * I14: after the storm no half an hour passes without progress: no task is done or fails, no job
 * ends, no worker is gone. That is longer than the longest task timeout plus a machine's boot.
 */
final class SteadyProgress {
  private static final Duration LONGEST = Duration.ofMinutes(30);

  /** Monotonic measures of progress. */
  private record Reached(long tasks, long failures, long jobs, long gone) {}

  private final GroundTruth groundTruth;
  private Optional<Reached> reached = Optional.empty();
  private Instant since = Instant.MIN;

  SteadyProgress(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  /**
   * Called now and then.
   *
   * @param except the uid of a cluster that cannot be served, or empty
   */
  void check(String except) {
    var left = left(except);
    var now = reached(except);
    if (left.isEmpty() || !reached.equals(Optional.of(now))) {
      reached = Optional.of(now);
      since = groundTruth.now();
    } else if (since.plus(LONGEST).isBefore(groundTruth.now()))
      throw new InvariantViolation(
          "I14", "for " + LONGEST + " nothing has moved, and " + left.get());
  }

  private Reached reached(String except) {
    var tasks = 0L;
    var failures = 0L;
    for (var shard : groundTruth.all(Shard.class)) {
      if (shard.cluster().equals(except)) continue;
      tasks += shard.done().count() + shard.failed().count();
      for (var i = shard.start(); i < shard.end(); i++) failures += shard.failures().at(i);
    }
    return new Reached(
        tasks,
        failures,
        groundTruth.all(Job.class).stream()
            .filter(j -> !j.cluster().equals(except) && j.state().ended())
            .count(),
        groundTruth.all(Worker.class).stream()
            .filter(w -> !w.cluster().equals(except) && w.state() instanceof WorkerState.Gone)
            .count());
  }

  /** The first thing left; NoOrphans checks machines without a worker. */
  private Optional<String> left(String except) {
    return groundTruth.all(Job.class).stream()
        .filter(j -> !j.cluster().equals(except) && !j.state().ended())
        .map(j -> j.uid() + " is " + j.state())
        .findFirst()
        .or(() ->
            groundTruth.all(Worker.class).stream()
                .filter(w -> !w.cluster().equals(except))
                .filter(w -> !(w.state() instanceof WorkerState.Gone))
                .map(w -> w.name() + " is " + w.state())
                .findFirst());
  }
}
