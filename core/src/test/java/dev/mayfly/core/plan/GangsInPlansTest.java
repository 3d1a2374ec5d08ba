package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.FormGang;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GangsInPlansTest {
  private static final WorkerState IDLE = idleFor(Duration.ofSeconds(1));
  private static final WorkerState SPARE = idleFor(Duration.ofDays(1));

  private static PoolSpec cpu(int max) {
    return pool("cpu").cpus(4).max(max).build();
  }

  private static JobDemand gang(int of, long tasks) {
    return job("x", 2, tasks).together(of);
  }

  @Test
  void idleWorkersAreGatheredForGang() {
    var plan =
        view(cpu(9)).worker("cpu", IDLE).worker("cpu", IDLE).worker("cpu", busy()).job(gang(2, 1));

    assertThat(plan.plan()).containsExactly(new FormGang("uid-x", List.of("cpu-0", "cpu-1")));
  }

  @Test
  void missingWorkersAreLaunchedAndIdleKept() {
    var plan = view(cpu(9)).worker("cpu", SPARE).worker("cpu", launching()).job(gang(3, 2)).plan();

    assertThat(plan)
        .containsExactly(launch("cpu", ZONE, 4, "2 tasks of job x take 3 workers each"));
  }

  @Test
  void noMachineIsLaunchedForIncompleteGang() {
    var view = view(cpu(5)).job(gang(3, 2));

    assertThat(view.plan())
        .containsExactly(launch("cpu", ZONE, 3, "1 task of job x takes 3 workers"));
    assertThat(view.vetoes("x")).contains(new PoolVeto.GangAtMaximum("cpu", 5, 3, 0, 6));
  }

  @Test
  void waitingGangWorkersAreNoRoomForOthers() {
    var plan = view(cpu(4)).worker("cpu", IDLE).job(gang(3, 1)).job(job("y", 4, 1)).plan();

    assertThat(plan)
        .containsExactly(
            launch(
                "cpu",
                ZONE,
                3,
                "1 task of job x takes 3 workers; 1 task of job y has no room",
                List.of("x", "x", "y")));
  }

  @Test
  void idleWorkerOutsideGangEnds() {
    var plan =
        view(cpu(9))
            .worker("cpu", SPARE)
            .worker("cpu", SPARE)
            .worker("cpu", SPARE)
            .job(gang(2, 1))
            .plan();

    assertThat(plan).hasSize(2).contains(new FormGang("uid-x", List.of("cpu-0", "cpu-1")));
  }

  @Test
  void waitingGangWorkerEndsDuringStockout() {
    var out = stockout(ZONE, "n2-standard-4", Duration.ZERO);
    var plan =
        view(cpu(9)).worker("cpu", SPARE).worker("cpu", IDLE).stockout(out).job(gang(3, 1)).plan();

    assertThat(plan).filteredOn(Drain.class::isInstance).hasSize(1);
    assertThat(plan)
        .contains(
            new Drain(
                "cpu-0",
                new DrainReason(
                    DrainCause.UNNEEDED,
                    "waited 10m for the rest of a gang of 3, which is not available now")));
  }

  @Test
  void gangWaitingForBusyWorkersKeepsIdleOnes() {
    var plan =
        view(cpu(3))
            .worker("cpu", SPARE)
            .worker("cpu", SPARE)
            .worker("cpu", busy())
            .job(gang(3, 1))
            .plan();

    assertThat(plan).noneMatch(Drain.class::isInstance);
  }

  @Test
  void warmMinimumWaitsForGang() {
    var out = stockout(ZONE, "n2-standard-4", Duration.ZERO);
    var warm = pool("cpu").cpus(4).min(1).max(9).build();
    var plan = view(warm).worker("cpu", SPARE).stockout(out).job(gang(3, 1)).plan();

    assertThat(plan).noneMatch(Drain.class::isInstance);
  }
}
