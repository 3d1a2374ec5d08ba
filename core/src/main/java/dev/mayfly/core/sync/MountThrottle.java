package dev.mayfly.core.sync;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Instant;
import java.util.List;

/**
 * How full mounts are rides along with a worker's other changes, and alone is written seldom.
 * Changes of less than a percent are not written.
 */
final class MountThrottle {
  private MountThrottle() {}

  /**
   * The worker with the use of its mounts, unless that must wait. A report without any is that of
   * an agent that has not measured yet.
   *
   * @param alone whether nothing else of the report is to be written
   */
  static Worker updated(
      Worker worker, List<MountUse> reported, boolean alone, Timings timings, Instant now) {
    if (reported.isEmpty()) return worker;
    var known = worker.mounts();
    if (known.filter(m -> isSame(m.uses(), reported)).isPresent()) return worker;
    var isYoung =
        known
            .filter(m -> !ElapsedTime.hasPassed(m.at(), timings.checkpointAfter(), now))
            .isPresent();
    return alone && isYoung ? worker : worker.withMounts(new MeasuredMounts(now, reported));
  }

  private static boolean isSame(List<MountUse> known, List<MountUse> reported) {
    return rounded(known).equals(rounded(reported));
  }

  private static List<MountUse> rounded(List<MountUse> uses) {
    return uses.stream()
        .map(u -> new MountUse(u.path(), u.storage(), u.totalBytes(), u.percent()))
        .toList();
  }
}
