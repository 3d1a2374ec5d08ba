package dev.mayfly.core.plan.budget;

import static dev.mayfly.core.plan.budget.PricedWorkers.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whoever has no job, and machines that cost, is reminded of them. */
class ForgottenMachinesTest {
  private static final WorkerState READY = new WorkerState.Ready(NOW, Optional.of(NOW));

  private static PoolSpec pool(String name, int min) {
    return new PoolSpec(
        name,
        "n2-standard-2",
        PricedWorkers.ONE,
        List.of("z-a"),
        Provisioning.SPOT,
        min,
        5,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static ForgottenMachines forgotten(Worker... workers) {
    var spec = SpecFixtures.cluster(pool("warm", 2), pool("cold", 0));
    var cluster = new Cluster("c", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
    return new ForgottenMachines(cluster, ForgottenMachines.among(List.of(workers)), NOW);
  }

  private static Worker worker(String name, String pool, Optional<Double> price) {
    return PricedWorkers.worker(name, pool, READY, Provisioning.SPOT, price);
  }

  private static Instant after(long hours) {
    return NOW.plus(Duration.ofHours(hours));
  }

  @Test
  void firstAfterTwelveHoursAndThenEachDay() {
    var forgotten = forgotten(worker("w-0", "warm", Optional.of(0.5)));

    assertThat(forgotten.times(after(11))).isZero();
    assertThat(forgotten.next(after(11))).isEqualTo(after(12));
    assertThat(forgotten.times(after(12))).isEqualTo(1);
    assertThat(forgotten.times(after(35))).isEqualTo(1);
    assertThat(forgotten.next(after(35))).isEqualTo(after(36));
    assertThat(forgotten.times(after(36))).isEqualTo(2);
  }

  @Test
  void saysCostTimeAndWhatEndsThem() {
    var forgotten =
        forgotten(
            worker("w-0", "warm", Optional.of(0.5)),
            worker("w-1", "warm", Optional.of(0.5)),
            worker("w-2", "cold", Optional.empty()));

    assertThat(forgotten.text(after(13)))
        .isEqualTo(
            "no job has run or waited for 13h, since 2026-11-15T00:00:00Z, and 3 machines of it cost $1.00 an hour and what is not known of 1 of them: 1 of pool cold (until idleAfter), 2 of pool warm (workers.min: 0 in its file); mayfly down lab ends all of them");
  }

  @Test
  void machinesThatCostNothingMoreAreNotTold() {
    var ending = new WorkerState.Drained(NOW, "idle");

    assertThat(
            forgotten(
                    PricedWorkers.worker(
                        "r", "warm", READY, Provisioning.RESERVED, Optional.of(0.0)),
                    PricedWorkers.worker(
                        "own", "warm", READY, Provisioning.STATIC, Optional.empty()),
                    PricedWorkers.worker("e", "warm", ending, Provisioning.SPOT, Optional.of(0.5)))
                .machines())
        .isEmpty();
  }
}
