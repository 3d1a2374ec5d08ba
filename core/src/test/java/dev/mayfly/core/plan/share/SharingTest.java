package dev.mayfly.core.plan.share;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.cluster;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharingTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration DAY = Duration.ofHours(24);
  private static final Map<String, Long> RUNNING = Map.of("j1", 2L, "j3", 3L);
  private static final List<JobQueue.OwnerUse> USES =
      List.of(new JobQueue.OwnerUse("cy", 4, 0, T0.minus(DAY)));

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
    return spec.withLimits(spec.limit().sharing(new FairShareSpec(Map.of("ada", 3.0), halfLife)));
  }

  private static Optional<Sharing> of(Optional<Duration> halfLife, JobQueue.Row... rows) {
    return Sharing.of(spec(halfLife), List.of(rows), USES, RUNNING, T0);
  }

  @Test
  void theirTasksAndTheirPastAreAdded() {
    var all = of(Optional.of(DAY), row("j1", "ada"), row("j2", "bob"), row("j3", "ada"));

    assertThat(all.orElseThrow().halfLife()).hasValue(DAY);
    assertThat(all.orElseThrow().owners())
        .containsExactly(
            new OwnerShare("ada", 3, 5, Optional.of(new OwnerShare.Machines(1.25, 0))),
            new OwnerShare("bob", 1, 0, Optional.of(new OwnerShare.Machines(0, 0))),
            new OwnerShare("cy", 1, 0, Optional.of(new OwnerShare.Machines(0, 2))));
  }

  @Test
  void withoutAHalfLifeOnlyThoseWithJobsShare() {
    assertThat(of(Optional.empty(), row("j1", "ada"), row("j2", "bob")).orElseThrow().owners())
        .containsExactly(
            new OwnerShare("ada", 3, 2, Optional.empty()),
            new OwnerShare("bob", 1, 0, Optional.empty()));
    assertThat(of(Optional.empty(), row("j1", "ada"))).as("nobody to share with").isEmpty();
  }
}
