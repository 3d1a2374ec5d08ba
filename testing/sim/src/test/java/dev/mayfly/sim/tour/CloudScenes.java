package dev.mayfly.sim.tour;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Machines that are not there: the cloud has none, or they may not be bought. */
final class CloudScenes {
  private static final Map<String, Double> PRICES = Map.of("n2-standard-4", 0.5);

  private static final String PART = "No machine";

  private CloudScenes() {}

  static List<Scene> all() {
    return List.of(oneZone(), allZones(), quota(), hour(), month(), booting(), unfit(), tooLarge());
  }

  private static Scene oneZone() {
    var world =
        TourWorld.of(
            TourWorld.pool(4, TourWorld.ZONE, TourWorld.OTHER_ZONE),
            Map.of(TourWorld.ZONE, 0, TourWorld.OTHER_ZONE, 1),
            TourJob.first(TourJob.job(Scene.JOB, 8)));
    world.untilRuns(Scene.JOB).minutes(11);
    return new Scene(
        PART,
        "stockout-zone",
        "One machine runs my job, and it gets no second one",
        "ZONE_RESOURCE_POOL_EXHAUSTED",
        "another zone or machine type in the pool",
        world);
  }

  private static Scene allZones() {
    var world =
        TourWorld.of(
            TourWorld.pool(4, TourWorld.ZONE, TourWorld.OTHER_ZONE),
            Map.of(TourWorld.ZONE, 0, TourWorld.OTHER_ZONE, 0),
            TourJob.first(TourJob.job(Scene.JOB, 8)));
    return new Scene(
        PART,
        "stockout",
        "My job waits and there is no machine in any zone",
        "ZONE_RESOURCE_POOL_EXHAUSTED",
        "nothing, the zone is asked again by itself",
        world.minutes(20));
  }

  private static Scene quota() {
    var world = TourWorld.of(TourWorld.pool(4), TourJob.first(TourJob.job(Scene.JOB, 8)));
    world.world.fleet().quota("us-central1", 0);
    return new Scene(
        PART,
        "quota",
        "My project may have no more machines",
        "region us-central1 allows no more n2-standard-4: quotaExceeded",
        "ask for more quota there",
        world.minutes(9));
  }

  private static Scene hour() {
    var lab = TourWorld.cluster(TourWorld.pool(4)).withBudget(new HourlyBudget(0.7, PRICES));
    var world =
        TourWorld.of(
            lab,
            TourJob.first(TourJob.job("eval", 3)),
            TourJob.later(ofMinutes(3), TourJob.job(Scene.JOB, 4)));
    return new Scene(
        PART,
        "budget-hour",
        "The cluster's budget allows no machine more",
        "budget is $0.70 an hour: its machines cost $0.50",
        "raise budget.usdPerHour to 2.00",
        world.untilRuns("eval").minutes(5));
  }

  private static Scene month() {
    var lab =
        TourWorld.cluster(TourWorld.pool(1))
            .withBudget(new Budget(Optional.empty(), PRICES, Optional.of(2.0)));
    var world = TourWorld.of(lab, TourJob.first(TourJob.job(Scene.JOB, 60)));
    return new Scene(
        PART,
        "budget-month",
        "The money of the month is spent",
        "a month $1.50 are spent",
        "raise budget.usdPerMonth to",
        world.untilRuns(Scene.JOB).minutes(300));
  }

  private static Scene booting() {
    var world = TourWorld.of(TourWorld.pool(2), TourJob.first(TourJob.job(Scene.JOB, 4)));
    return new Scene(
        PART,
        "booting",
        "My job has just been submitted",
        "2 machines of pool cpu are being created, the first ordered",
        "nothing, its tasks start there by themselves",
        world.advance(ofSeconds(38)));
  }

  private static Scene unfit() {
    var world = TourWorld.of(TourWorld.pool(2), TourJob.first(TourJob.job(Scene.JOB, 4)));
    world
        .world
        .skies()
        .lacks
        .put("cpu", "docker: image europe-docker.pkg.dev/lab/base:v7 is not there");
    return new Scene(
        PART,
        "machines-unfit",
        "Machines start, and none of them can run a task",
        "europe-docker.pkg.dev/lab/base:v7 is not there",
        "mend what they lack",
        world.minutes(40));
  }

  private static Scene tooLarge() {
    var world =
        TourWorld.of(
            TourWorld.pool(2), Map.of(TourWorld.ZONE, 0), TourJob.first(TourJob.job(Scene.JOB, 4)));
    world.minutes(5).apply(TourWorld.cluster(small()));
    return new Scene(
        PART,
        "too-large",
        "No machine of the cluster is large enough",
        "the largest worker of cluster lab has 2 CPU and 8 GiB",
        "add a pool with a larger machine",
        world.minutes(3));
  }

  private static PoolSpec small() {
    return new PoolSpec(
        "cpu",
        "n2-standard-2",
        Resources.cpu(2, 8 * TourWorld.GIB),
        List.of(TourWorld.ZONE),
        Provisioning.SPOT,
        0,
        2,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }
}
