package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How many machines of a pool are being created, for how long, and how long that usually takes. */
final class BootingReason {
  private BootingReason() {}

  /**
   * Empty if nothing boots.
   *
   * @param workers of the pool; the usual time is the median of those that are ready
   */
  static Optional<JobExplanation.Reason> of(
      PoolSpec pool, List<Worker> booting, List<Worker> workers, Instant now) {
    return booting.stream()
        .map(Worker::createdAt)
        .min(Instant::compareTo)
        .map(oldest ->
            new JobExplanation.Reason(
                "booting",
                "%d of pool %s are being created, the first for %s%s"
                    .formatted(
                        booting.size(),
                        pool.name(),
                        HumanDuration.between(oldest, now),
                        usual(workers)
                            .map(time -> "; usually it takes " + HumanDuration.format(time))
                            .orElse(""))));
  }

  /** From the order of a machine to its agent's first report. */
  private static Optional<Duration> usual(List<Worker> workers) {
    var times =
        workers.stream()
            .filter(worker -> worker.state() instanceof WorkerState.Ready)
            .map(worker -> Duration.between(worker.createdAt(), worker.state().since()))
            .filter(Duration::isPositive)
            .sorted()
            .toList();
    return times.isEmpty() ? Optional.empty() : Optional.of(times.get(times.size() / 2));
  }
}
