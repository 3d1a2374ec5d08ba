package dev.mayfly.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnerLimitTest {
  private static final ClusterLimits LIMITS =
      new ClusterLimits(Optional.of(10L), Map.of("bob", 3L), Optional.empty(), Optional.empty());

  private static JobDemand job(String owner, long ready, long leased) {
    return new JobDemand(
        "j",
        "j",
        Resources.cpu(1, 1),
        Placement.ANYWHERE,
        ready,
        leased,
        new JobDemand.Standing(owner, 50, false));
  }

  private static List<Long> ready(JobDemand... jobs) {
    return OwnerLimit.limited(List.of(jobs), LIMITS).stream().map(JobDemand::ready).toList();
  }

  @Test
  void firstJobsOfOwnerDemandFirst() {
    assertThat(ready(job("ann", 4, 2), job("ann", 9, 1), job("ann", 9, 0)))
        .containsExactly(4L, 3L, 0L);
  }

  @Test
  void ownersAreLimitedApart() {
    assertThat(ready(job("ann", 20, 0), job("bob", 20, 1), job("", 20, 12)))
        .containsExactly(10L, 2L, 0L);
  }

  @Test
  void clusterWithoutLimitIsUnchanged() {
    var jobs = List.of(job("ann", 500, 0));

    assertThat(OwnerLimit.limited(jobs, ClusterLimits.NONE)).isEqualTo(jobs);
  }
}
