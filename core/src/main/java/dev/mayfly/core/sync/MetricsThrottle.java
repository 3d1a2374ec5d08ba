package dev.mayfly.core.sync;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.document.RunningMetrics;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Metrics ride along with a worker's other changes, and alone are written seldom. */
final class MetricsThrottle {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** While somebody follows one of the jobs: each report is written. */
  private static final Duration FOLLOWED_PAUSE = Duration.ofSeconds(5);

  private MetricsThrottle() {}

  /**
   * How young the stored metrics may be for a write to be left out.
   *
   * @param alone whether nothing else of the report is to be written
   * @param followed whether a user watches one of the jobs
   */
  static Duration pause(boolean alone, boolean followed) {
    if (!alone) return Duration.ZERO;
    return followed ? FOLLOWED_PAUSE : PAUSE;
  }

  /** The worker with what its tasks report, unless the stored values are younger than a pause. */
  static Worker updated(Worker worker, List<TaskMetrics> reported, Duration pause, Instant now) {
    var known = worker.metrics();
    if (known.map(RunningMetrics::tasks).orElse(List.of()).equals(reported)) return worker;
    var isYoung =
        known.filter(m -> !ElapsedTime.hasPassed(m.at(), pause, now)).isPresent()
            && pause.isPositive();
    if (isYoung) return worker;
    return worker.withMetrics(
        reported.isEmpty() ? Optional.empty() : Optional.of(new RunningMetrics(now, reported)));
  }
}
