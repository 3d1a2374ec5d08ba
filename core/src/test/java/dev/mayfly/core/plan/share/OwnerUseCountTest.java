package dev.mayfly.core.plan.share;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.cluster;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.JobQueue.OwnerUse;
import dev.mayfly.core.model.job.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnerUseCountTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration DAY = Duration.ofHours(24);
  private static final List<JobQueue.Row> ROWS =
      List.of(row("j1", "ada"), row("j2", "bob"), row("j3", "ada"));

  private static JobQueue.Row row(String job, String owner) {
    return new JobQueue.Row(
        job,
        job,
        owner,
        50,
        T0,
        Resources.cpu(1, GIB),
        Placement.ANYWHERE,
        false,
        0,
        Optional.empty(),
        0,
        Optional.empty(),
        1,
        List.of(),
        Optional.empty());
  }

  private static ClusterSpec spec(Optional<Duration> halfLife) {
    var spec = cluster(pool("cpu").cpus(4).build());
    return spec.withLimits(spec.limit().sharing(new FairShareSpec(Map.of(), halfLife)));
  }

  private static Optional<List<OwnerUse>> after(
      Optional<List<OwnerUse>> before, Map<String, Long> tasks, Instant now) {
    return OwnerUseCount.after(spec(Optional.of(DAY)), before, ROWS, tasks, now);
  }

  @Test
  void jobsOfAnOwnerAreAddedByParts() {
    var first = after(Optional.empty(), Map.of("j1", 2L, "j3", 1L, "gone", 9L), T0);

    assertThat(first.orElseThrow()).containsExactly(new OwnerUse("ada", 0, 0.75, T0));

    var later = after(first, Map.of("j2", 4L), T0.plus(DAY));
    assertThat(later.orElseThrow())
        .containsExactly(
            new OwnerUse("ada", 0.375, 0, T0.plus(DAY)), new OwnerUse("bob", 0, 1, T0.plus(DAY)));
  }

  @Test
  void nothingIsWrittenWhileEverybodyRunsTheSame() {
    var first = after(Optional.empty(), Map.of("j1", 2L), T0);

    assertThat(after(first, Map.of("j1", 1L, "j3", 1L), T0.plus(DAY))).isEqualTo(first);
    assertThat(after(first, Map.of("j1", 3L), T0.plus(DAY))).isNotEqualTo(first);
  }

  @Test
  void withoutAHalfLifeThePastIsDropped() {
    var first = after(Optional.empty(), Map.of("j1", 2L), T0);

    assertThat(OwnerUseCount.after(spec(Optional.empty()), first, ROWS, Map.of("j1", 2L), T0))
        .isEmpty();
  }
}
