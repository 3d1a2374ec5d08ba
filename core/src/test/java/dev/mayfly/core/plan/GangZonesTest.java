package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.FormGang;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A gang is in one zone, and its waiting workers are closed to others. */
class GangZonesTest {
  private static final WorkerState IDLE = idleFor(Duration.ofSeconds(1));
  private static final String A = "us-west1-a";
  private static final String B = "us-east1-b";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static PoolSpec two(int max) {
    return pool("cpu").cpus(4).zones(A, B).max(max).build();
  }

  private static JobDemand gang(String name, int of) {
    return job(name, 2, 1).together(of);
  }

  private static JobDemand keeping(JobDemand job, String... workers) {
    return job.waiting(
        new JobDemand.Waiting(NOW.minusSeconds(600), List.of(workers), Optional.empty()));
  }

  private static List<Drain> drains(List<PlanDecision> plan) {
    return plan.stream().filter(Drain.class::isInstance).map(Drain.class::cast).toList();
  }

  @Test
  void idleWorkersOfTwoZonesFormNoGang() {
    var plan = view(two(9)).worker("cpu", A, IDLE).worker("cpu", B, IDLE).job(gang("x", 2)).plan();

    assertThat(plan).containsExactly(launch("cpu", A, 1, "1 task of job x takes 2 workers"));
  }

  @Test
  void gangIsNotCompletedInAnotherZone() {
    var out = stockout(A, "n2-standard-4", MINUTE);
    var view = view(two(9)).stockout(out).job(gang("x", 4));
    for (var i = 0; i < 3; i++) view.worker("cpu", A, IDLE);

    assertThat(view.plan()).containsExactly(launch("cpu", B, 4, "1 task of job x takes 4 workers"));
  }

  @Test
  void claimedWorkersAreNotReused() {
    var view = view(two(4)).job(gang("big", 4)).job(gang("small", 2));
    for (var i = 0; i < 3; i++) view.worker("cpu", A, IDLE);
    var plan = Planner.planWithReasons(view.build());

    assertThat(plan.decisions())
        .noneMatch(FormGang.class::isInstance)
        .contains(launch("cpu", A, 1, "1 task of job big takes 4 workers"));
    assertThat(plan.keeps())
        .singleElement()
        .satisfies(k -> {
          assertThat(k.job()).isEqualTo("uid-big");
          assertThat(k.workers()).containsExactly("cpu-0", "cpu-1", "cpu-2");
          assertThat(k.launched()).containsExactly(new Plan.Launched("cpu", A, 1));
        });
  }

  @Test
  void twoGangsBuyWhatBothLack() {
    var plan =
        view(two(8))
            .worker("cpu", A, IDLE)
            .worker("cpu", A, IDLE)
            .job(gang("x", 4))
            .job(gang("y", 4))
            .plan();

    assertThat(plan)
        .containsExactly(
            launch(
                "cpu",
                A,
                6,
                "1 task of job x takes 4 workers; 1 task of job y takes 4 workers",
                List.of("x", "x", "y", "y", "y", "y")));
  }

  @Test
  void youngerGangGetsNoWorkersOfOlderJob() {
    var plan =
        view(two(9))
            .worker("cpu", A, IDLE)
            .worker("cpu", A, IDLE)
            .job(job("old", 4, 2))
            .job(gang("x", 2))
            .plan();

    assertThat(plan).containsExactly(launch("cpu", A, 2, "1 task of job x takes 2 workers"));
  }

  @Test
  void gangMachineInFlightIsNotLaunchedAgain() {
    var view =
        view(pool("a").cpus(4).build(), pool("b").cpus(4).build()).job(job("x", 2, 1).together(4));
    for (var i = 0; i < 4; i++) view.worker("b", launching());

    assertThat(view.plan()).isEmpty();
  }

  @Test
  void gangKeepsNothingOfPoolsThatCannotHoldIt() {
    var out = stockout(B, "n2-standard-4", MINUTE);
    var plan =
        Planner.planWithReasons(
            view(
                    pool("dev").cpus(2).zones(A).min(2).max(2).build(),
                    pool("train").cpus(4).zones(B).max(8).build())
                .worker("dev", A, IDLE)
                .worker("dev", A, IDLE)
                .stockout(out)
                .job(gang("x", 8))
                .build());

    assertThat(plan.keeps()).isEmpty();
    assertThat(plan.decisions()).isEmpty();
  }

  @Test
  void youngestWorkersHaveTheMostTimeLeft() {
    var shape = two(9);
    var view = view(shape).job(gang("x", 2));
    for (var hours : List.of(20, 1, 2))
      view.worker(shape, A, IDLE, PlanFixtures.ago(Duration.ofHours(hours)));

    assertThat(view.plan()).contains(new FormGang("uid-x", List.of("cpu-1", "cpu-2")));
  }

  @Test
  void waitingGangWorkersAreFreedWhenZonesRefuse() {
    var plan =
        Planner.planWithReasons(
            view(pool("cpu").cpus(4).zones(A).build())
                .worker("cpu", A, IDLE)
                .worker("cpu", A, launching())
                .stockout(stockout(A, "n2-standard-4", MINUTE))
                .job(keeping(gang("x", 3), "cpu-0", "cpu-1"))
                .build());

    assertThat(drains(plan.decisions()))
        .containsExactly(
            new Drain(
                "cpu-0",
                new DrainReason(
                    DrainCause.UNNEEDED, "the rest of a gang of 3 is not available now")),
            new Drain(
                "cpu-1",
                new DrainReason(
                    DrainCause.UNNEEDED, "the rest of a gang of 3 is not available now")));
    assertThat(plan.gaveUp()).containsExactly(new Plan.AbandonedGang("cpu", A, 3));
    assertThat(plan.keeps()).isEmpty();
  }

  @Test
  void releasedGangWorkersServeOthersFirst() {
    var plan =
        Planner.planWithReasons(
            view(pool("cpu").cpus(4).zones(A).build())
                .worker("cpu", A, IDLE)
                .worker("cpu", A, IDLE)
                .stockout(stockout(A, "n2-standard-4", MINUTE))
                .job(keeping(gang("x", 3), "cpu-0", "cpu-1"))
                .job(gang("y", 2))
                .build());

    assertThat(plan.decisions()).contains(new FormGang("uid-y", List.of("cpu-0", "cpu-1")));
    assertThat(drains(plan.decisions())).isEmpty();
    assertThat(plan.gaveUp()).isEmpty();
  }

  @Test
  void zoneLackingGangPartIsAskedLessOften() {
    var spec = pool("cpu").cpus(4).zones(A).build();
    var once = stockout(A, "gang4.n2-standard-4", MINUTE.multipliedBy(6));
    var twice = stockout(A, "gang4.n2-standard-4", MINUTE.multipliedBy(15), MINUTE.multipliedBy(6));

    assertThat(view(spec).job(gang("x", 4)).stockout(once).plan())
        .hasOnlyElementsOfType(Launch.class);
    assertThat(view(spec).job(gang("x", 4)).stockout(twice).plan()).isEmpty();
    assertThat(view(spec).job(gang("x", 4)).stockout(twice).reasons("x"))
        .containsExactly(
            "zone %s could not provide all 4 machines of pool cpu that a task needs at once; the next try is in 4m"
                .formatted(A));
    assertThat(view(spec).job(gang("x", 2)).stockout(twice).plan())
        .as("a smaller gang")
        .hasOnlyElementsOfType(Launch.class);
  }

  @Test
  void impossibleGangIsReported() {
    var view = view(pool("cpu").cpus(4).max(2).build()).job(gang("x", 3));

    assertThat(view.plan()).isEmpty();
    assertThat(view.reasons("x"))
        .singleElement()
        .asString()
        .startsWith("asks for gang: 3, and no pool that it may use may have 3");
  }

  @Test
  void gangWaitsForBusyWorkersOfOneZone() {
    var held = SpecFixtures.held("uid-y", 0, Resources.cpu(1, 1), List.of(0L));
    var young = SpecFixtures.demand("uid-y", "y", Resources.cpu(1, 1), 900, 1);
    var view = view(two(4)).job(gang("x", 3)).job(young);
    view.worker("cpu", A, IDLE);
    for (var i = 0; i < 3; i++) view.worker("cpu", B, busy(), held);
    var plan = Planner.planWithReasons(view.build());

    assertThat(plan.keeps())
        .singleElement()
        .satisfies(k -> assertThat(k.workers()).containsExactly("cpu-1", "cpu-2", "cpu-3"));
    assertThat(plan.decisions())
        .filteredOn(PlanDecision.PreemptLease.class::isInstance)
        .as("a younger job of the same owner")
        .hasSize(3);
  }
}
