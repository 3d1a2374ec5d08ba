package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.plan.capacity.ReturnedRoom;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.PlanDecision;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A refusal ends when a machine of ours gives room back, and only such a refusal. */
class ReturnedRoomInPlansTest {
  private static final String ZONE = "us-central2-b";
  private static final String REGION = "us-central2";
  private static final String TYPE = "n2-standard-4";
  private static final PoolSpec POOL = pool("p").cpus(4).build();

  private static Stockout back(String zone, String type, boolean taken, Duration ago) {
    return stockout(zone, ReturnedRoom.key(Provisioning.SPOT, type, taken), ago);
  }

  private static long launched(Stockout... memories) {
    var view = view(POOL).job(job("j", 1, 1));
    for (var each : memories) view.stockout(each);
    return view.plan().stream().filter(d -> d instanceof PlanDecision.Launch).count();
  }

  @ParameterizedTest
  @CsvSource({
    "us-central2,   us-central2-b, n2-standard-4, false, 1",
    "us-central2,   us-central2-b, n2-standard-4, true,  1",
    "us-central2,   us-central2-a, n2-standard-8, false, 1",
    "us-central2,   us-central2-b, c3-standard-4, false, 0",
    "us-central2,   us-east1-b,    n2-standard-4, false, 0",
    "us-central2-b, us-central2-b, n2-standard-8, false, 1",
    "us-central2-b, us-central2-b, n2-standard-4, true,  0",
    "us-central2-b, us-central2-a, n2-standard-4, false, 0"
  })
  void refusalEndsWithItsCause(String refused, String zone, String type, boolean taken, long n) {
    var refusal = stockout(refused, TYPE, Duration.ofMinutes(2));

    assertThat(launched(refusal)).isZero();
    assertThat(launched(refusal, back(zone, type, taken, Duration.ofMinutes(1)))).isEqualTo(n);
  }

  /** The returned room says nothing of a refusal after it. */
  @ParameterizedTest
  @ValueSource(strings = {REGION, ZONE})
  void laterRefusalHolds(String place) {
    var refusal = stockout(place, TYPE, Duration.ofMinutes(3), Duration.ofMinutes(1));

    assertThat(launched(refusal, back(ZONE, TYPE, false, Duration.ofMinutes(2)))).isZero();
  }

  /** What only a person can mend, unclear failures and short lives have another cause. */
  @ParameterizedTest
  @ValueSource(strings = {"pool.u1.p", "unclear." + TYPE, "short." + TYPE})
  void otherMemoriesStay(String what) {
    var minutes = Duration.ofMinutes(1);
    var memory = stockout(ZONE, what, minutes, minutes, minutes, minutes, minutes);

    assertThat(launched(memory, back(ZONE, TYPE, false, Duration.ZERO))).isZero();
  }

  /** One machine came back: eight orders would be refused. */
  @Test
  void reopenedZoneIsAskedForOneMachine() {
    var refusal = stockout(ZONE, TYPE, Duration.ofMinutes(2));
    var view = view(POOL).job(job("j", 4, 8)).stockout(refusal);

    var plan = view.stockout(back(ZONE, TYPE, false, Duration.ofMinutes(1))).plan();

    assertThat(plan)
        .singleElement()
        .isInstanceOfSatisfying(
            PlanDecision.Launch.class, launch -> assertThat(launch.count()).isOne());
  }

  /** Those that waited for the gang come back too, and are fewer. */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 2"})
  void zoneWithoutGangIsAskedOnceOneCameBack(int machines, int launched) {
    var minutes = Duration.ofMinutes(1);
    var failed =
        stockout(
            ZONE,
            ZoneAvailability.gangKey(2, TYPE),
            minutes.multipliedBy(90),
            minutes.multipliedBy(60),
            minutes.multipliedBy(15));
    var returns = IntStream.range(0, machines).mapToObj(i -> minutes.multipliedBy(9 - i));
    var view = view(POOL).job(job("j", 4, 1).together(2)).stockout(failed);

    var plan =
        view.stockout(
                stockout(
                    ZONE,
                    ReturnedRoom.key(Provisioning.SPOT, TYPE, false),
                    returns.toArray(Duration[]::new)))
            .plan();

    assertThat(
            plan.stream().mapToInt(d -> d instanceof PlanDecision.Launch l ? l.count() : 0).sum())
        .isEqualTo(launched);
  }

  /** With any memories: after all room came back, a plan launches if it would without refusals. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noPlanWaitsForReturnedRoom(long first) {
    for (var seed = first * 1_000; seed < first * 1_000 + 200; seed++) {
      var dice = new Random(seed);
      var zones = List.of("us-a", "us-b", "eu-c").subList(0, 1 + dice.nextInt(3));
      var pool = pool("p").zones(zones.toArray(String[]::new)).max(1 + dice.nextInt(9)).build();
      var gang = 1 + dice.nextInt(3);
      var demand = job("j", 1 + dice.nextInt(4), 1 + dice.nextInt(9)).together(gang);
      var refused = view(pool).job(demand);
      for (var zone : zones) {
        var place = dice.nextBoolean() ? zone : StorageLocation.region(zone);
        refused.stockout(stockout(place, pool.machineType(), Duration.ofMinutes(dice.nextInt(4))));
        refused.stockout(back(zone, pool.machineType(), false, Duration.ZERO));
      }

      var plan = refused.plan();

      assertThat(plan.isEmpty())
          .as("seed %d", seed)
          .isEqualTo(view(pool).job(demand).plan().isEmpty());
    }
  }
}
