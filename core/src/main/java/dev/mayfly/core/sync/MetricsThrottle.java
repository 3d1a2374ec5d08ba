package dev.mayfly.core.sync;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.RunningMetrics;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Metrics ride along with a worker's other changes, and alone are written seldom; what tasks use is
 * alone written more seldom still, and small changes of it not at all.
 */
final class MetricsThrottle {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** Where nothing but what tasks use has changed. */
  private static final Duration USE_PAUSE = Duration.ofMinutes(10);

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
    var before = known.map(RunningMetrics::tasks).orElse(List.of());
    if (before.equals(reported)) return worker;
    // How far its tasks were when it went is what their next attempts are estimated by.
    if (reported.isEmpty() && !(worker.state() instanceof WorkerState.Ready)) return worker;
    if (pause.isPositive()) {
      if (alike(before, reported, TaskMetrics::isNear)) return worker;
      var least = alike(before, reported, TaskMetrics::reportsLike) ? seldom(pause) : pause;
      if (known.filter(m -> !ElapsedTime.hasPassed(m.at(), least, now)).isPresent()) return worker;
    }
    return worker.withMetrics(
        reported.isEmpty() ? Optional.empty() : Optional.of(new RunningMetrics(now, reported)));
  }

  private static Duration seldom(Duration pause) {
    return pause.equals(FOLLOWED_PAUSE) ? PAUSE : USE_PAUSE;
  }

  private static boolean alike(
      List<TaskMetrics> known,
      List<TaskMetrics> reported,
      BiPredicate<TaskMetrics, TaskMetrics> like) {
    if (known.size() != reported.size()) return false;
    for (var i = 0; i < known.size(); i++)
      if (!like.test(known.get(i), reported.get(i))) return false;
    return true;
  }
}
