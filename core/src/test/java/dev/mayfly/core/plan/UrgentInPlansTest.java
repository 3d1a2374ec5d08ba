package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.Fixtures.GIB;
import static dev.mayfly.core.plan.Fixtures.NOW;
import static dev.mayfly.core.plan.Fixtures.ZONE;
import static dev.mayfly.core.plan.Fixtures.pool;
import static dev.mayfly.core.plan.Fixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.Demand.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Work that spot machines do not get done goes to on-demand machines, and nothing else does. */
class UrgentInPlansTest {
  private static final PoolSpec SPOT = pool("cpu").max(3).build();
  private static final PoolSpec SURE = SPOT.fallback(2);

  private static Demand job(long ready, Urgency urgency) {
    return job(Place.ANYWHERE, ready, urgency);
  }

  private static Demand job(Place place, long ready, Urgency urgency) {
    return new Demand(
        "u",
        "j",
        Resources.cpu(2, GIB),
        place,
        ready,
        0,
        new Demand.Standing("", 50, false),
        urgency,
        1);
  }

  private static Urgency spent(long tasks) {
    return new Urgency(tasks, 3, Optional.empty());
  }

  private static Urgency due(Instant deadline) {
    return new Urgency(0, 0, Optional.of(deadline));
  }

  private static List<String> launches(List<Decision> plan) {
    return plan.stream()
        .filter(d -> d instanceof Decision.Launch)
        .map(d -> (Decision.Launch) d)
        .map(l -> l.count() + " " + l.pool())
        .toList();
  }

  @Test
  void onDemandMachinesAreNotForWorkThatIsNotUrgent() {
    var idle = Fixtures.idleFor(Duration.ofSeconds(1));
    var plan = view(SPOT, SURE).worker("cpu-fallback", idle).job(job(5, Urgency.NONE)).plan();

    assertThat(launches(plan)).containsExactly("3 cpu");
  }

  @Test
  void tasksThatWereLostTooOftenAreForNoSpotMachineAndTheOthersAre() {
    var plan = view(SPOT, SURE).job(job(3, spent(1))).plan();

    assertThat(launches(plan)).containsExactly("1 cpu-fallback", "2 cpu");
    assertThat(plan.getFirst())
        .isEqualTo(
            new Decision.Launch(
                "cpu-fallback",
                ZONE,
                1,
                "1 task of job j has no room: 3 preemptions, on demand now"));
  }

  @Test
  void anIdleSpotMachineIsNoRoomForThemAndAnOnDemandOneIs() {
    var idle = Fixtures.idleFor(Duration.ofSeconds(1));

    assertThat(launches(view(SPOT, SURE).worker("cpu", idle).job(job(1, spent(1))).plan()))
        .containsExactly("1 cpu-fallback");
    assertThat(launches(view(SPOT, SURE).worker("cpu-fallback", idle).job(job(1, spent(1))).plan()))
        .isEmpty();
  }

  @Test
  void theirMostHoldsAndTheRestWaitsWithTheReason() {
    var plan = view(SPOT, SURE).job(job(5, spent(5))).plan();

    assertThat(launches(plan)).containsExactly("2 cpu-fallback");
    assertThat(plan)
        .contains(
            new Decision.Wait("job/j", List.of("pool cpu-fallback may have 2 workers and has 0")));
  }

  @Test
  void nearItsDeadlineAJobHasOnDemandMachinesFirstAndSpotMachinesForTheRest() {
    var plan = view(SPOT, SURE).job(job(5, due(NOW.plus(Duration.ofHours(2))))).plan();

    assertThat(launches(plan)).containsExactly("2 cpu-fallback", "3 cpu");
    assertThat(((Decision.Launch) plan.getFirst()).reason())
        .isEqualTo("5 tasks of job j have no room: its deadline is in 2 h, on demand now");
    assertThat(((Decision.Launch) plan.get(1)).reason()).isEqualTo("3 tasks of job j have no room");
  }

  @Test
  void aJobThatNamesItsPoolsHasTheirOnDemandMachinesAndNoOthers() {
    var other = pool("other").build();
    var place = Place.inPools(List.of("other"));
    var plan =
        Planner.plan(
            view(SPOT, SURE, other, other.fallback(4)).job(job(place, 1, spent(1))).build());

    assertThat(launches(plan)).containsExactly("1 other-fallback");
  }

  @Test
  void withoutSuchAPoolTheyWaitAndSayWhatToWrite() {
    var plan = view(SPOT).job(job(1, spent(1))).plan();

    assertThat(plan).containsExactly(new Decision.Wait("job/j", List.of(Feasibility.NO_FALLBACK)));
  }

  @Test
  void spotMachinesThatAreOutOfStockSayNothingAboutOnDemandOnes() {
    var gone = Fixtures.stockout(ZONE, SPOT.machineType(), Duration.ofSeconds(10));
    var sold =
        Fixtures.stockout(
            ZONE, Stock.kind(Provisioning.ON_DEMAND, SPOT.machineType()), Duration.ofSeconds(10));

    assertThat(launches(view(SPOT, SURE).stockout(gone).job(job(2, spent(1))).plan()))
        .containsExactly("1 cpu-fallback");
    assertThat(launches(view(SPOT, SURE).stockout(sold).job(job(2, spent(1))).plan()))
        .containsExactly("1 cpu");
  }

  @Test
  void anIdleOnDemandMachineGoesAlthoughOthersWait() {
    var spare = Fixtures.idleFor(Duration.ofHours(1));
    var plan = view(SPOT, SURE).worker("cpu-fallback", spare).job(job(1, Urgency.NONE)).plan();

    assertThat(plan).contains(new Decision.Drain("cpu-fallback-0", "idle for 10 min"));
  }
}
