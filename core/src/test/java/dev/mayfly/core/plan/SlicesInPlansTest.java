package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlicesInPlansTest {
  @Test
  void sliceHasNoRoomForSingleHostTask() {
    var small = pool("small").cpus(2).build();

    var plan =
        view(slices(1), small)
            .worker("pod", idleFor(Duration.ofMinutes(1)))
            .job(job("x", 2, 1))
            .plan();

    assertThat(plan).containsExactly(launch("small", ZONE, 1, "1 task of job x has no room"));
  }

  @Test
  void eachTaskTakesItsOwnSlice() {
    var x = job("x", 2, 3).at(Placement.inPools(List.of("pod")));

    var plan = view(slices(5)).worker("pod", idleFor(Duration.ofMinutes(1))).job(x).plan();

    assertThat(plan).containsExactly(launch("pod", ZONE, 2, "2 tasks of job x have no room"));
  }

  @Test
  void smallSliceQuotaShortageBlocksLargerOnes() {
    var x = job("x", 2, 1).at(Placement.inPools(List.of("pod")));
    var minute = Duration.ofMinutes(1);

    assertThat(view(slices(5)).job(x).stockout(stockout("us-central2", "v4-16", minute)).plan())
        .noneMatch(Launch.class::isInstance);
    assertThat(view(slices(5)).job(x).stockout(stockout("us-central2", "v4-64", minute)).plan())
        .anyMatch(Launch.class::isInstance);
    assertThat(view(slices(5)).job(x).stockout(stockout("us-central2", "v5p-16", minute)).plan())
        .anyMatch(Launch.class::isInstance);
  }

  private static PoolSpec slices(int max) {
    var like = pool("small").build();
    return new PoolSpec(
        "pod",
        "v4-32",
        Resources.cpu(240, 400 * GIB),
        like.zones(),
        like.provisioning(),
        Math.min(1, max),
        max,
        like.idleAfter(),
        like.life(),
        MachineSpec.PLAIN);
  }
}
