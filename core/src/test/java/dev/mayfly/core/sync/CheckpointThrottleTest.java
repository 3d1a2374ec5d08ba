package dev.mayfly.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointThrottleTest {
  private static final Instant T0 = Instant.parse("2026-11-01T12:00:00Z");

  /** The seconds at which progress is written for a lease whose tasks end one per second. */
  private static List<Integer> written(int tasks) {
    return written(tasks, false);
  }

  private static List<Integer> written(int tasks, boolean followed) {
    var checkpointThrottle = new CheckpointThrottle(Timings.DEFAULT);
    var held =
        new Worker.Held(
            "j", 0, 1, Resources.cpu(1, 0), T0, List.of(), false, 1, List.of(), List.of());
    var written = new ArrayList<Integer>();
    for (var second = 1; second < tasks; second++) {
      int done = second;
      var lease =
          new SyncReport.Lease(
              new LeaseRef("j", 0, 1),
              tasks,
              TaskSet.where(0, tasks, i -> i < done),
              List.of(),
              List.of(),
              done,
              false,
              List.of(),
              List.of());
      var now = T0.plusSeconds(second);
      if (!checkpointThrottle.due(held, lease, followed, now)) continue;
      checkpointThrottle.written(lease, now);
      written.add(second);
    }
    return written;
  }

  @Test
  void progressIntervalDoublesFromFiveSeconds() {
    assertThat(written(100)).containsExactly(5, 10, 20, 40, 80);
    assertThat(written(4)).isEmpty();
  }

  @Test
  void followedProgressIsWrittenEveryFiveSeconds() {
    assertThat(written(24, true)).containsExactly(5, 10, 15, 20);
  }

  @Test
  void longLeaseIsWrittenEveryTwoMinutes() {
    var seconds = written(1_000);
    for (var i = 1; i < seconds.size(); i++)
      assertThat(seconds.get(i) - seconds.get(i - 1)).isLessThanOrEqualTo(120);
    assertThat(seconds).hasSizeLessThan(16);
  }
}
