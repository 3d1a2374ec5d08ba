package dev.mayfly.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.LimitVeto;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskLimitsTest {
  private static final ClusterLimits LIMITS =
      new ClusterLimits(
          Optional.of(10L),
          Map.of("bob", 3L),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  private static final ClusterSpec SPEC = PlanFixtures.cluster().withLimits(LIMITS);

  private static JobDemand job(String owner, long ready, long leased) {
    return job(new JobDemand.Standing(owner, 50, false, 0), ready, leased);
  }

  private static JobDemand job(JobDemand.Standing standing, long ready, long leased) {
    return SpecFixtures.demand("j", "j", Resources.cpu(1, 1), ready, leased, standing);
  }

  private static List<Long> ready(JobDemand... jobs) {
    return new TaskLimits(List.of(jobs), SPEC).demands().stream().map(JobDemand::ready).toList();
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

    assertThat(new TaskLimits(jobs, PlanFixtures.cluster()).demands()).isEqualTo(jobs);
  }

  @Test
  void jobsLimitHoldsBesideThatOfItsOwner() {
    var own = new JobDemand.Standing("ann", 50, false, 3);
    var limits = new TaskLimits(List.of(job(own, 9, 1), job(own, 9, 3)), SPEC);

    assertThat(limits.demands()).extracting(JobDemand::ready).containsExactly(2L, 0L);
    assertThat(limits.vetoes()).containsOnlyKeys("j");
    assertThat(limits.vetoes().get("j")).isEqualTo(new LimitVeto.OfJob("j", 3, 3));
  }

  @Test
  void limitCountsJobsBefore() {
    var limits = new TaskLimits(List.of(job("bob", 2, 1), job("bob", 5, 0)), SPEC);

    assertThat(limits.vetoes().get("j"))
        .isEqualTo(new LimitVeto.OfOwner("bob", SPEC.name(), 3, 1, 2, 4));
  }
}
