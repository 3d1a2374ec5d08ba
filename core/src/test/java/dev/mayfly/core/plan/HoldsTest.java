package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.Fixtures.GIB;
import static dev.mayfly.core.plan.Fixtures.NOW;
import static dev.mayfly.core.plan.Fixtures.busy;
import static dev.mayfly.core.plan.Fixtures.pool;
import static dev.mayfly.core.plan.Fixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A task that is larger than what falls free at once has a worker kept for it. */
class HoldsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static Demand job(String name, String owner, int priority, double cpus, long ready) {
    return new Demand(
        "uid-" + name,
        name,
        Resources.cpu(cpus, GIB),
        Place.ANYWHERE,
        ready,
        0,
        new Demand.Standing(owner, priority, false));
  }

  private static Worker.Held one(String job, long start, double cpus) {
    return new Worker.Held(
        "uid-" + job, start, 1, Resources.cpu(cpus, GIB), NOW.minusSeconds(60), List.of(start));
  }

  private static Worker.Held[] full(String job, int from) {
    var held = new ArrayList<Worker.Held>();
    for (var i = 0; i < 8; i++) held.add(one(job, from + i, 1));
    return held.toArray(Worker.Held[]::new);
  }

  /** Two workers of 8 CPUs, at their maximum, on which small tasks run. */
  private static Fixtures.Of crowded() {
    return view(pool("cpu").cpus(8).max(2).build())
        .worker("cpu", busy(), full("small", 0))
        .worker("cpu", busy(), full("small", 8));
  }

  private static List<Plan.Keep> keeps(Fixtures.Of view) {
    return Planner.make(view.build()).keeps();
  }

  @Test
  void oneWorkerIsKeptForTheLargeTaskThatComesFirst() {
    var plan =
        Planner.make(
            crowded().job(job("large", "", 90, 8, 1)).job(job("small", "", 10, 1, 900)).build());

    assertThat(plan.keeps())
        .singleElement()
        .satisfies(k -> {
          assertThat(k.job()).isEqualTo("uid-large");
          assertThat(k.workers()).containsExactly("cpu-0");
        });
    assertThat(plan.decisions())
        .filteredOn(Decision.Yield.class::isInstance)
        .as("what the kept worker has not begun")
        .hasSize(8)
        .allMatch(y -> ((Decision.Yield) y).worker().equals("cpu-0"));
    assertThat(plan.whys().get("job/large"))
        .anySatisfy(w -> assertThat(w.text()).startsWith("worker cpu-0 is kept for it"));
  }

  @Test
  void asManyAreKeptAsAHigherPriorityNeeds() {
    var keeps = keeps(crowded().job(job("large", "", 90, 8, 5)).job(job("small", "", 10, 1, 900)));

    assertThat(keeps.getFirst().workers()).containsExactly("cpu-0", "cpu-1");
  }

  @Test
  void nothingIsKeptForAJobThatCameAMomentAgo() {
    var now = new Demand.Waiting(NOW.minusSeconds(60), List.of(), Optional.empty());
    var large = job("large", "", 90, 8, 1).waiting(now);

    assertThat(keeps(crowded().job(large).job(job("small", "", 10, 1, 900)))).isEmpty();
  }

  @Test
  void laterJobKeepsNothingFromAnEarlierOne() {
    assertThat(keeps(crowded().job(job("small", "", 50, 1, 900)).job(job("large", "", 50, 8, 1))))
        .isEmpty();
  }

  @Test
  void ownerWithLessHasItsTurnThoughItCameLater() {
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
    var kept = new Demand.Waiting(NOW.minus(HOUR), List.of("cpu-1"), Optional.empty());
    var large = job("large", "", 90, 8, 1).waiting(kept);

    assertThat(keeps(crowded().job(large).job(job("small", "", 10, 1, 900))).getFirst().workers())
        .containsExactly("cpu-1");
  }

  @Test
  void workerStaysKeptUntilItsFreeRoomIsGranted() {
    var kept = new Demand.Waiting(NOW.minus(HOUR), List.of("cpu-0"), Optional.empty());
    var view =
        view(pool("cpu").cpus(8).max(1).build())
            .worker("cpu", Fixtures.idleFor(Duration.ZERO))
            .job(job("large", "", 90, 8, 1).waiting(kept))
            .job(job("small", "", 10, 1, 900));

    assertThat(keeps(view)).hasSize(1);
  }

  @Test
  void roomOfAKeptWorkerIsNoRoomForLaterJobs() {
    var kept = new Demand.Waiting(NOW.minus(HOUR), List.of("cpu-0"), Optional.empty());
    var plan =
        Planner.make(
            view(pool("cpu").cpus(8).max(1).build(), pool("more").cpus(2).build())
                .worker("cpu", busy(), one("small", 0, 2))
                .job(job("large", "", 90, 8, 1).waiting(kept))
                .job(job("small", "", 10, 1, 1))
                .build());

    assertThat(plan.decisions())
        .contains(new Decision.Launch("more", Fixtures.ZONE, 1, "1 task of job small has no room"));
  }

  @Test
  void endOfWhatRunsIsKnownFromTimeouts() {
    var small =
        job("small", "", 10, 1, 900).waiting(new Demand.Waiting(NOW, List.of(), Optional.of(HOUR)));

    assertThat(keeps(crowded().job(job("large", "", 90, 8, 1)).job(small)).getFirst().until())
        .contains(NOW.minusSeconds(60).plus(HOUR));
  }

  @Test
  void fewerTasksOfASmallRoomMakeNoRoomForALargeOne() {
    var yields =
        crowded()
            .job(
                job("large", "", 90, 8, 1)
                    .waiting(new Demand.Waiting(NOW, List.of(), Optional.empty())))
            .job(job("small", "", 10, 1, 900))
            .plan()
            .stream()
            .filter(Decision.Yield.class::isInstance);

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
        .filteredOn(Decision.Yield.class::isInstance)
        .first()
        .satisfies(y -> assertThat(((Decision.Yield) y).lease().job()).isEqualTo("uid-lowest"));
  }

  @Test
  void leaseOfAGangGivesNothing() {
    var gang = new Worker.Held("uid-low", 0, 1, Resources.cpu(2, GIB), NOW, List.of(0L), true);
    var plan =
        view(pool("cpu").cpus(2).max(1).build())
            .worker("cpu", busy(), gang)
            .job(job("top", "", 90, 2, 1))
            .job(job("low", "", 40, 2, 9))
            .plan();

    assertThat(plan).noneMatch(Decision.Yield.class::isInstance);
  }
}
