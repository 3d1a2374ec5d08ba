package dev.mayfly.core.plan.spending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.PlanFixtures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Machines that count as nothing towards a limit. */
class UnpricedPoolsTest {
  private static final ClusterSpec CLUSTER =
      SpecFixtures.cluster(pool("known", "n2-standard-4"), pool("new", "zz9-standard-4"));

  private static PoolSpec pool(String name, String type) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16 * PlanFixtures.GIB),
        List.of(PlanFixtures.ZONE),
        Provisioning.SPOT,
        0,
        10,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static JobSpec job(Optional<Double> maxUsd, String... pools) {
    return SpecFixtures.job(1, SpecFixtures.run("train"), pools)
        .withAdmission(
            new AdmissionRules(
                List.of(), 0, Optional.empty(), Optional.empty(), maxUsd, Optional.empty()));
  }

  @Test
  void typesWithoutPriceAreNamed() {
    assertThat(UnpricedPools.of(job(Optional.of(25.0)), CLUSTER))
        .contains(
            new InputError(
                "maxUsd",
                "does not count machines whose price is not known, so that tasks there run without a limit: pools new (zz9-standard-4, spot); give these a price in budget.prices of the cluster's file, or name other pools in the job's"));
  }

  @Test
  void limitThatCountsAllIsNoReasonToWarn() {
    var budget = new HourlyBudget(100, Map.of("zz9-standard-4", 1.0, "n2-standard-4", 1.0));

    assertThat(UnpricedPools.of(job(Optional.empty()), CLUSTER)).isEmpty();
    assertThat(UnpricedPools.of(job(Optional.of(25.0), "known"), CLUSTER)).isEmpty();
    assertThat(UnpricedPools.of(job(Optional.of(25.0)), CLUSTER.withBudget(budget))).isEmpty();
  }
}
