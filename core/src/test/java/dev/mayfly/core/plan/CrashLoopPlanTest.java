package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.TaskTime;
import dev.mayfly.core.plan.veto.JobVeto;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No machine is bought for tasks that all fail alike. */
class CrashLoopPlanTest {
  private static final JobVeto.CrashLoop LOOP = new JobVeto.CrashLoop(16, 9, 20, 2, 1);

  private static JobDemand looping(int leased) {
    var plain = job("crash", 1, 20);
    return SpecFixtures.demand(
            plain.job(), plain.name(), plain.need(), 20, leased, plain.standing())
        .at(plain.place())
        .waiting(
            new JobDemand.Waiting(
                Instant.EPOCH, List.of(), Optional.empty(), Optional.of(LOOP), TaskTime.NEVER));
  }

  @Test
  void loopWithRunningTasksGetsNoMachine() {
    var view = view(pool("cpu").cpus(4).build()).job(looping(3)).job(job("other", 1, 4));

    assertThat(view.plan())
        .containsExactly(
            launch("cpu", ZONE, 1, "4 tasks of job other have no room", List.of("other")));
    assertThat(view.vetoes("crash")).containsExactly(LOOP);
  }

  @Test
  void loopWithoutMachineGetsOne() {
    assertThat(view(pool("cpu").cpus(4).build()).job(looping(0)).plan())
        .containsExactly(
            launch("cpu", ZONE, 1, "1 task of job crash has no room", List.of("crash")));
  }

  @Test
  void loopOfGangsGetsNoMachineEither() {
    assertThat(view(pool("cpu").build()).job(looping(2).together(2)).plan()).isEmpty();
    assertThat(view(pool("cpu").build()).job(looping(0).together(2)).plan()).isNotEmpty();
  }
}
