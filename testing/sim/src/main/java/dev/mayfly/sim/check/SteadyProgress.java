package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.observation.GroundTruth;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * I14: once nothing goes wrong any more, no half an hour passes in which nothing comes nearer to
 * its end: no task is done or fails, no job ends, no worker goes. It is longer than the longest
 * timeout of a task and a machine's boot together.
 */
final class SteadyProgress {
  private static final Duration LONGEST = Duration.ofMinutes(30);

  /** What only grows, and by which everything comes to its end. */
  private record Reached(long tasks, long failures, long jobs, long gone) {}

  private final GroundTruth groundTruth;
  private Optional<Reached> reached = Optional.empty();
  private Instant since = Instant.MIN;

  SteadyProgress(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  /**
   * Looks, now and then.
   *
   * @param except the uid of a cluster that nobody can serve; otherwise empty
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

  /** Machines without a worker are another check's. */
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
