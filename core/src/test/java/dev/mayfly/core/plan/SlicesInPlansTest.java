package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.Fixtures.GIB;
import static dev.mayfly.core.plan.Fixtures.ZONE;
import static dev.mayfly.core.plan.Fixtures.idleFor;
import static dev.mayfly.core.plan.Fixtures.job;
import static dev.mayfly.core.plan.Fixtures.pool;
import static dev.mayfly.core.plan.Fixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.Decision.Launch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlicesInPlansTest {
  @Test
  void aSliceOfSeveralHostsIsNoRoomForATaskThatRunsOnOne() {
    var small = pool("small").cpus(2).build();
    var slice =
        new PoolSpec(
            "pod",
            "v4-32",
            Resources.cpu(240, 400 * GIB),
            small.zones(),
            small.provisioning(),
            1,
            1,
            small.idleAfter(),
            small.life());

    var plan =
        view(slice, small).worker("pod", idleFor(Duration.ofMinutes(1))).job(job("x", 2, 1)).plan();

    assertThat(plan).containsExactly(new Launch("small", ZONE, 1, "1 task of job x has no room"));
  }
}
