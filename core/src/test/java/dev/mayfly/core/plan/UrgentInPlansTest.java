package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.JobDemand.Urgency;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only work that spot machines did not finish goes to on-demand machines. */
class UrgentInPlansTest {
  private static final PoolSpec SPOT = pool("cpu").max(3).build();
  private static final PoolSpec SURE = SPOT.fallback(2);

  private static JobDemand job(long ready, Urgency urgency) {
    return job(Placement.ANYWHERE, ready, urgency);
  }

  private static JobDemand job(Placement placement, long ready, Urgency urgency) {
    return new JobDemand(
        "u",
        "j",
        Resources.cpu(2, GIB),
        placement,
        ready,
        0,
        new JobDemand.Standing("", 50, false, 0),
        urgency,
        1,
        JobDemand.Waiting.NEW);
  }

  private static Urgency spent(long tasks) {
    return new Urgency(tasks, 3, Optional.empty());
  }

  private static Urgency due(Instant deadline) {
    return new Urgency(0, 0, Optional.of(deadline));
  }

  private static List<String> launches(List<PlanDecision> plan) {
    return plan.stream()
        .filter(d -> d instanceof PlanDecision.Launch)
        .map(d -> (PlanDecision.Launch) d)
        .map(l -> l.count() + " " + l.pool())
        .toList();
  }

  @Test
  void onDemandMachinesServeUrgentWorkOnly() {
    var idle = PlanFixtures.idleFor(Duration.ofSeconds(1));
    var plan = view(SPOT, SURE).worker("cpu-fallback", idle).job(job(5, Urgency.NONE)).plan();

    assertThat(launches(plan)).containsExactly("3 cpu");
  }

  @Test
  void onlyExhaustedTasksLeaveSpotMachines() {
    var plan = view(SPOT, SURE).job(job(3, spent(1))).plan();

    assertThat(launches(plan)).containsExactly("1 cpu-fallback", "2 cpu");
    assertThat(plan.getFirst())
        .isEqualTo(
            new PlanDecision.Launch(
                "cpu-fallback",
                ZONE,
                1,
                "1 task of job j has no room: 3 attempts preempted or lost, on demand now",
                List.of(new LaunchedFor("j", Optional.empty()))));
  }

  @Test
  void exhaustedTasksUseOnDemandRoomOnly() {
    var idle = PlanFixtures.idleFor(Duration.ofSeconds(1));

    assertThat(launches(view(SPOT, SURE).worker("cpu", idle).job(job(1, spent(1))).plan()))
        .containsExactly("1 cpu-fallback");
    assertThat(launches(view(SPOT, SURE).worker("cpu-fallback", idle).job(job(1, spent(1))).plan()))
        .isEmpty();
  }

  @Test
  void onDemandMaximumHoldsWithReason() {
    var view = view(SPOT, SURE).job(job(5, spent(5)));

    assertThat(launches(view.plan())).containsExactly("2 cpu-fallback");
    assertThat(view.vetoes("j")).contains(new PoolVeto.AtMaximum("cpu-fallback", 2, 0, 3));
  }

  @Test
  void jobNearDeadlinePrefersOnDemand() {
    var plan = view(SPOT, SURE).job(job(5, due(NOW.plus(Duration.ofHours(2))))).plan();

    assertThat(launches(plan)).containsExactly("2 cpu-fallback", "3 cpu");
    assertThat(((PlanDecision.Launch) plan.getFirst()).reason())
        .isEqualTo("5 tasks of job j have no room: its deadline is in 2h, on demand now");
    assertThat(((PlanDecision.Launch) plan.get(1)).reason())
        .isEqualTo("3 tasks of job j have no room");
  }

  @Test
  void namedPoolsUseTheirOwnOnDemandMachines() {
    var other = pool("other").build();
    var placement = Placement.inPools(List.of("other"));
    var plan =
        Planner.plan(
            view(SPOT, SURE, other, other.fallback(4)).job(job(placement, 1, spent(1))).build());

    assertThat(launches(plan)).containsExactly("1 other-fallback");
  }

  @Test
  void missingOnDemandPoolIsExplained() {
    var view = view(SPOT).job(job(1, spent(1)));

    assertThat(view.plan()).isEmpty();
    assertThat(view.vetoes("j")).containsExactly(new JobVeto.NoOnDemandPool());
  }

  @Test
  void spotStockoutDoesNotBlockOnDemand() {
    var gone = SpecFixtures.stockout(ZONE, SPOT.machineType(), Duration.ofSeconds(10));
    var sold =
        SpecFixtures.stockout(
            ZONE,
            ZoneAvailability.kind(Provisioning.ON_DEMAND, SPOT.machineType()),
            Duration.ofSeconds(10));

    assertThat(launches(view(SPOT, SURE).stockout(gone).job(job(2, spent(1))).plan()))
        .containsExactly("1 cpu-fallback");
    assertThat(launches(view(SPOT, SURE).stockout(sold).job(job(2, spent(1))).plan()))
        .containsExactly("1 cpu");
  }

  @Test
  void anIdleOnDemandMachineGoesAlthoughOthersWait() {
    var spare = PlanFixtures.idleFor(Duration.ofHours(1));
    var plan = view(SPOT, SURE).worker("cpu-fallback", spare).job(job(1, Urgency.NONE)).plan();

    assertThat(plan)
        .contains(
            new PlanDecision.Drain(
                "cpu-fallback-0", new DrainReason(DrainCause.UNNEEDED, "idle for 10m")));
  }
}
