package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.JobVeto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A worker is kept for a task larger than the room that frees up at once. */
class KeptWorkerPlannerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static JobDemand job(String name, String owner, int priority, double cpus, long ready) {
    return SpecFixtures.demand(
        "uid-" + name,
        name,
        Resources.cpu(cpus, GIB),
        ready,
        0,
        new JobDemand.Standing(owner, priority, false, 0));
  }

  private static Worker.Held one(String job, long start, double cpus) {
    return new Worker.Held(
        "uid-" + job,
        start,
        1,
        Resources.cpu(cpus, GIB),
        NOW.minusSeconds(60),
        List.of(start),
        false,
        1,
        List.of(),
        List.of());
  }

  private static Worker.Held[] full(String job, int from) {
    var held = new ArrayList<Worker.Held>();
    for (var i = 0; i < 8; i++) held.add(one(job, from + i, 1));
    return held.toArray(Worker.Held[]::new);
  }

  /** Two workers of 8 CPUs, at their maximum, on which small tasks run. */
  private static PlanFixtures.Of crowded() {
    return view(pool("cpu").cpus(8).max(2).build())
        .worker("cpu", busy(), full("small", 0))
        .worker("cpu", busy(), full("small", 8));
  }

  private static List<Plan.Keep> keeps(PlanFixtures.Of view) {
    return Planner.planWithReasons(view.build()).keeps();
  }

  @Test
  void oneWorkerIsHeldForLargeTask() {
    var plan =
        Planner.planWithReasons(
            crowded().job(job("large", "", 90, 8, 1)).job(job("small", "", 10, 1, 900)).build());

    assertThat(plan.keeps())
        .singleElement()
        .satisfies(k -> {
          assertThat(k.job()).isEqualTo("uid-large");
          assertThat(k.workers()).containsExactly("cpu-0");
        });
    assertThat(plan.decisions())
        .filteredOn(PlanDecision.PreemptLease.class::isInstance)
        .as("what the kept worker has not begun")
        .hasSize(8)
        .allMatch(y -> ((PlanDecision.PreemptLease) y).worker().equals("cpu-0"));
    assertThat(plan.ofJob("uid-large")).contains(new JobVeto.Kept("cpu-0"));
  }

  @Test
  void asManyAreKeptAsAHigherPriorityNeeds() {
    var keeps = keeps(crowded().job(job("large", "", 90, 8, 5)).job(job("small", "", 10, 1, 900)));

    assertThat(keeps.getFirst().workers()).containsExactly("cpu-0", "cpu-1");
  }

  @Test
  void recentJobHoldsNothing() {
    var now = new JobDemand.Waiting(NOW.minusSeconds(60), List.of(), Optional.empty());
    var large = job("large", "bob", 50, 8, 1).waiting(now);

    assertThat(keeps(crowded().job(job("small", "ada", 50, 1, 900)).job(large))).isEmpty();
  }

  @Test
  void recentJobOfHigherPriorityHoldsAtOnce() {
    var now = new JobDemand.Waiting(NOW, List.of(), Optional.empty());
    var large = job("large", "", 90, 8, 1).waiting(now);

    assertThat(keeps(crowded().job(large).job(job("small", "", 10, 1, 900)))).hasSize(1);
  }

  @Test
  void laterJobKeepsNothingFromAnEarlierOne() {
    assertThat(keeps(crowded().job(job("small", "", 50, 1, 900)).job(job("large", "", 50, 8, 1))))
        .isEmpty();
  }

  @Test
  void ownerWithLessHoldsWorkerFirst() {
    assertThat(
            keeps(
                crowded().job(job("small", "ada", 50, 1, 900)).job(job("large", "bob", 50, 8, 1))))
        .hasSize(1);
  }

  @Test
  void tasksOfOneSizeNeedNoHold() {
    var view =
        view(pool("cpu").cpus(8).max(1).build())
            .worker("cpu", busy(), one("small", 0, 4), one("small", 1, 4))
            .job(job("large", "", 90, 4, 10))
            .job(job("small", "", 10, 4, 10));

    assertThat(keeps(view)).isEmpty();
  }

  @Test
  void keptWorkerStaysTheSame() {
    var kept = new JobDemand.Waiting(NOW.minus(HOUR), List.of("cpu-1"), Optional.empty());
    var large = job("large", "", 90, 8, 1).waiting(kept);

    assertThat(keeps(crowded().job(large).job(job("small", "", 10, 1, 900))).getFirst().workers())
        .containsExactly("cpu-1");
  }

  @Test
  void workerStaysKeptUntilItsFreeRoomIsGranted() {
    var kept = new JobDemand.Waiting(NOW.minus(HOUR), List.of("cpu-0"), Optional.empty());
    var view =
        view(pool("cpu").cpus(8).max(1).build())
            .worker("cpu", PlanFixtures.idleFor(Duration.ZERO))
            .job(job("large", "", 90, 8, 1).waiting(kept))
            .job(job("small", "", 10, 1, 900));

    assertThat(keeps(view)).hasSize(1);
  }

  @Test
  void heldRoomIsUnavailableToLaterJobs() {
    var kept = new JobDemand.Waiting(NOW.minus(HOUR), List.of("cpu-0"), Optional.empty());
    var plan =
        Planner.planWithReasons(
            view(pool("cpu").cpus(8).max(1).build(), pool("more").cpus(2).build())
                .worker("cpu", busy(), one("small", 0, 2))
                .job(job("large", "", 90, 8, 1).waiting(kept))
                .job(job("small", "", 10, 1, 1))
                .build());

    assertThat(plan.decisions())
        .contains(
            new PlanDecision.Launch(
                "more",
                PlanFixtures.ZONE,
                1,
                "1 task of job small has no room",
                List.of(new LaunchedFor("small", Optional.empty()))));
  }

  @Test
  void timeoutsBoundEndOfRunningTasks() {
    var small =
        job("small", "", 10, 1, 900)
            .waiting(new JobDemand.Waiting(NOW, List.of(), Optional.of(HOUR)));

    assertThat(keeps(crowded().job(job("large", "", 90, 8, 1)).job(small)).getFirst().until())
        .contains(NOW.minusSeconds(60).plus(HOUR));
  }

  @Test
  void newLargeTaskPreemptsNoSmallTasks() {
    var yields =
        crowded()
            .job(job("small", "ada", 50, 1, 900))
            .job(
                job("large", "bob", 50, 8, 1)
                    .waiting(new JobDemand.Waiting(NOW, List.of(), Optional.empty())))
            .plan()
            .stream()
            .filter(PlanDecision.PreemptLease.class::isInstance);

    assertThat(yields).isEmpty();
  }

  @Test
  void lowestPriorityGivesWayFirst() {
    var plan =
        view(pool("cpu").cpus(2).max(2).build())
            .worker("cpu", busy(), one("low", 0, 2))
            .worker("cpu", busy(), one("lowest", 0, 2))
            .job(job("top", "", 90, 2, 1))
            .job(job("low", "", 40, 2, 9))
            .job(job("lowest", "", 10, 2, 9))
            .plan();

    assertThat(plan)
        .filteredOn(PlanDecision.PreemptLease.class::isInstance)
        .first()
        .satisfies(
            y -> assertThat(((PlanDecision.PreemptLease) y).lease().job()).isEqualTo("uid-lowest"));
  }

  @Test
  void leaseOfAGangGivesNothing() {
    var gang =
        new Worker.Held(
            "uid-low",
            0,
            1,
            Resources.cpu(2, GIB),
            NOW,
            List.of(0L),
            true,
            1,
            List.of(),
            List.of());
    var plan =
        view(pool("cpu").cpus(2).max(1).build())
            .worker("cpu", busy(), gang)
            .job(job("top", "", 90, 2, 1))
            .job(job("low", "", 40, 2, 9))
            .plan();

    assertThat(plan).noneMatch(PlanDecision.PreemptLease.class::isInstance);
  }
}
