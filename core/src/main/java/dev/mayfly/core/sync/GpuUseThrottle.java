package dev.mayfly.core.sync;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MeasuredGpus;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How busy and how full GPUs are is written as {@link MetricsThrottle} has it for metrics: with a
 * worker's other changes, and alone seldom. What changed by a few percent is not written at all.
 */
final class GpuUseThrottle {
  /** Percent of use, and of a device's memory. */
  private static final int SMALL_USE = 5;

  private static final int SMALL_MEMORY = 1;

  private GpuUseThrottle() {}

  /**
   * The worker with what its driver shows, unless the stored values are alike or younger than a
   * pause. An empty report clears them: nobody knows them any more.
   */
  static Worker updated(Worker worker, List<GpuUse> reported, Duration pause, Instant now) {
    var known = worker.gpuUses();
    if (alike(known.map(MeasuredGpus::uses).orElse(List.of()), reported)) return worker;
    var isYoung =
        pause.isPositive()
            && known.filter(m -> !ElapsedTime.hasPassed(m.at(), pause, now)).isPresent();
    if (isYoung) return worker;
    return worker.withGpuUses(
        reported.isEmpty() ? Optional.empty() : Optional.of(new MeasuredGpus(now, reported)));
  }

  private static boolean alike(List<GpuUse> known, List<GpuUse> reported) {
    if (known.size() != reported.size()) return false;
    for (var i = 0; i < known.size(); i++) if (!alike(known.get(i), reported.get(i))) return false;
    return true;
  }

  private static boolean alike(GpuUse known, GpuUse reported) {
    return known.index() == reported.index()
        && known.memory().equals(reported.memory())
        && near(known.use(), reported.use(), SMALL_USE)
        && known.memoryUsed().isPresent() == reported.memoryUsed().isPresent()
        && near(known.memoryPercent(), reported.memoryPercent(), SMALL_MEMORY);
  }

  private static boolean near(Optional<Integer> known, Optional<Integer> reported, int small) {
    if (known.isEmpty() || reported.isEmpty()) return known.isEmpty() == reported.isEmpty();
    return Math.abs(known.get() - reported.get()) <= small;
  }
}
