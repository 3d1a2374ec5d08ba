package dev.mayfly.core.plan.spending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PossibleCostTest {
  private static PoolSpec pool(String name, String type, Provisioning how, int max) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16L << 30),
        List.of("us-a"),
        how,
        0,
        max,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  /** With a price of $2 for type {@code two} and $5 for {@code five}. */
  private static ClusterSpec cluster(double usd, Optional<Long> tasks, PoolSpec... pools) {
    return SpecFixtures.cluster(pools)
        .withBudget(new HourlyBudget(1_000, Map.of("two", 2.0, "five", 5.0)))
        .withLimits(
            new ClusterLimits(
                Optional.empty(), Map.of(), tasks, Optional.of(usd), Optional.empty()));
  }

  private static ClusterSpec cluster(double usd, PoolSpec... pools) {
    return cluster(usd, Optional.empty(), pools);
  }

  private static JobSpec job() {
    return SpecFixtures.job(1, SpecFixtures.run("true"));
  }

  @Test
  void poolsAtMaximumAreCompared() {
    var two = pool("a", "two", Provisioning.SPOT, 10);

    assertThat(PossibleCost.whyConfirm(cluster(20, two))).isEmpty();
    assertThat(PossibleCost.whyConfirm(cluster(19.99, two)).orElseThrow())
        .isEqualTo(
            "its pools at their maximum cost $20.00 an hour, above the $19.99 (limits.confirmUsdPerHour) that need no confirmation");
  }

  /** They have one maximum: ten machines of the dearest type cost most. */
  @Test
  void typesOfOnePoolAreNotAddedUp() {
    var two = pool(PoolSpec.choice("a", "two"), "two", Provisioning.SPOT, 10);
    var five = pool(PoolSpec.choice("a", "five"), "five", Provisioning.SPOT, 10);

    assertThat(PossibleCost.of(cluster(1, two, five))).isEqualTo(50);
    assertThat(PossibleCost.whyConfirm(job(), 1_000, cluster(49.99, two, five)).orElseThrow())
        .contains("machines of $50.00 an hour at once");
  }

  @Test
  void listPriceServesWithoutBudget() {
    var pool = pool("a", "n2-standard-4", Provisioning.ON_DEMAND, 1_000);
    var spec =
        SpecFixtures.cluster(pool)
            .withLimits(
                new ClusterLimits(
                    Optional.empty(),
                    Map.of(),
                    Optional.empty(),
                    Optional.of(100.0),
                    Optional.empty()));

    assertThat(PossibleCost.whyConfirm(spec).orElseThrow()).contains("at their maximum cost $201.");
  }

  @Test
  void unknownPriceNeedsConfirmation() {
    assertThat(PossibleCost.whyConfirm(cluster(20, pool("x", "new-1", Provisioning.SPOT, 1))))
        .get()
        .asString()
        .startsWith("pool x: the price of new-1 (spot) is not known");
  }

  @Test
  void ownAndReservedMachinesCostNothingMore() {
    assertThat(
            PossibleCost.whyConfirm(
                cluster(
                    1,
                    pool("a", "desk", Provisioning.STATIC, 9),
                    pool("b", "five", Provisioning.RESERVED, 9))))
        .isEmpty();
  }

  @Test
  void jobCostsWhatItsTasksFillDearestFirst() {
    var spec =
        cluster(
            30, pool("a", "two", Provisioning.SPOT, 100), pool("b", "five", Provisioning.SPOT, 5));

    assertThat(PossibleCost.whyConfirm(job(), 20, spec)).as("5 machines of $5").isEmpty();
    assertThat(PossibleCost.whyConfirm(job(), 28, spec)).as("and 2 of $2").isEmpty();
    assertThat(PossibleCost.whyConfirm(job(), 32, spec)).as("and 3 of $2").isPresent();
  }

  @Test
  void tasksAreCountedWithoutPrices() {
    var spec = cluster(1_000, Optional.of(50L), pool("a", "two", Provisioning.SPOT, 1));

    assertThat(PossibleCost.whyConfirm(job(), 50, spec)).isEmpty();
    assertThat(PossibleCost.whyConfirm(job(), 51, spec).orElseThrow())
        .isEqualTo(
            "it has 51 tasks, above the 50 (limits.confirmTasks of the cluster) that need no confirmation");
  }
}
