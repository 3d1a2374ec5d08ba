package dev.mayfly.sim.scheduling;

import static dev.mayfly.sim.fixture.SmallClusters.cpus;
import static dev.mayfly.sim.fixture.SmallClusters.ended;
import static dev.mayfly.sim.fixture.SmallClusters.everLaunched;
import static dev.mayfly.sim.fixture.SmallClusters.gpus;
import static dev.mayfly.sim.fixture.SmallClusters.pool;
import static dev.mayfly.sim.fixture.SmallClusters.reasons;
import static dev.mayfly.sim.fixture.SmallClusters.running;
import static dev.mayfly.sim.fixture.SmallClusters.stage;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.sim.fixture.PlannedJobBuilder;
import dev.mayfly.sim.fixture.ScriptedWorld;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of a cluster whose machines are too few, unfit or preempted. */
class SchedulingTest {
  @Test
  void driverlessMachinesAreReplacedLessOften() {
    var scriptedWorld = stage(1, pool("small", 0, 5, cpus(4), "z-a"), PlannedJobBuilder.job(0));
    var lacks = scriptedWorld.world.skies().lacks;
    lacks.put("small", "driver: no GPU of 1");

    scriptedWorld.until(() -> everLaunched(scriptedWorld) == 3, ofMinutes(40));
    scriptedWorld.advance(ofMinutes(5));
    assertThat(scriptedWorld.workers()).noneMatch(w -> w.state().live());
    assertThat(reasons(scriptedWorld, 0))
        .anySatisfy(r -> {
          assertThat(r.kind()).isEqualTo("pool-paused");
          assertThat(r.text()).contains("3 machines of pool small", "driver: no GPU of 1");
        });
    scriptedWorld.advance(ofHours(6));
    assertThat(everLaunched(scriptedWorld)).isBetween(6, 12);

    lacks.clear();
    scriptedWorld.until(scriptedWorld::ended, ofHours(2));
    assertThat(scriptedWorld.begun(1)).isOne();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void largeTaskBeginsWhileSmallOnesWait(long seed) {
    var scriptedWorld =
        stage(
            seed,
            pool("small", 0, 2, cpus(16), "z-a"),
            PlannedJobBuilder.job(0).priority(10).tasks(1_500, ofMinutes(1)),
            PlannedJobBuilder.job(1)
                .priority(90)
                .cpus(16)
                .at(ofMinutes(10))
                .tasks(1, ofMinutes(2)));
    scriptedWorld.advance(ofMinutes(12));
    assertThat(scriptedWorld.running()).hasSizeGreaterThan(16);

    scriptedWorld.until(() -> running(scriptedWorld, 1).size() == 1, ofMinutes(12));
    assertThat(ended(scriptedWorld, 0)).isFalse();
    scriptedWorld.until(scriptedWorld::ended, ofHours(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void largeTaskOfEqualOwnerGetsTurn(long seed) {
    var scriptedWorld =
        stage(
            seed,
            pool("small", 0, 2, cpus(16), "z-a"),
            PlannedJobBuilder.job(0).of("ada").tasks(1_500, ofMinutes(1)),
            PlannedJobBuilder.job(1).of("bob").cpus(16).at(ofMinutes(10)).tasks(1, ofMinutes(2)));

    scriptedWorld.until(() -> running(scriptedWorld, 1).size() == 1, ofMinutes(30));
    assertThat(ended(scriptedWorld, 0)).isFalse();
  }

  @Test
  void shortTasksUseHeldRoomMeanwhile() {
    var hour = ofHours(1);
    var scriptedWorld =
        stage(
            1,
            pool("small", 0, 1, cpus(16), "z-a"),
            PlannedJobBuilder.job(0).cpus(4).tasks(2, hour).timeout(hour.plusMinutes(1)),
            PlannedJobBuilder.job(1).priority(60).cpus(16).at(ofMinutes(5)).tasks(1, ofMinutes(2)),
            PlannedJobBuilder.job(2).at(ofMinutes(8)).tasks(16, ofMinutes(1)).timeout(ofMinutes(2)),
            PlannedJobBuilder.job(3).at(ofMinutes(8)).tasks(16, ofMinutes(1)).timeout(ofHours(2)));

    scriptedWorld.until(() -> ended(scriptedWorld, 2), ofMinutes(30));
    assertThat(running(scriptedWorld, 3)).as("it may run for too long").isEmpty();
    assertThat(reasons(scriptedWorld, 3)).anyMatch(r -> r.kind().equals("kept"));
    var after = scriptedWorld.until(() -> running(scriptedWorld, 1).size() == 1, ofHours(1));
    assertThat(after).isBetween(ofMinutes(30), ofMinutes(62));
  }

  @Test
  void largeGpuPartsGetOwnDevices() {
    var scriptedWorld =
        stage(
            1,
            pool("gpu", 0, 4, gpus(2), "z-a"),
            PlannedJobBuilder.job(0).gpus(0.6).tasks(3, ofMinutes(30)));

    scriptedWorld.until(() -> scriptedWorld.running().size() == 3, ofMinutes(15));
    assertThat(everLaunched(scriptedWorld)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void gpuPartNeedsOneDeviceWithRoom(long seed) {
    var scriptedWorld =
        stage(
            seed,
            pool("gpu", 0, 2, gpus(4), "z-a"),
            PlannedJobBuilder.job(0).gpus(0.4).tasks(8, ofHours(10)),
            PlannedJobBuilder.job(1).gpus(0.5).at(ofMinutes(20)).tasks(1, ofMinutes(5)));

    scriptedWorld.until(() -> running(scriptedWorld, 0).size() == 8, ofMinutes(15));
    assertThat(everLaunched(scriptedWorld)).isOne();
    scriptedWorld.until(() -> running(scriptedWorld, 1).size() == 1, ofMinutes(30));
  }

  @Test
  void twelveSeedsShareThreeGpus() {
    var scriptedWorld =
        stage(
            1,
            pool("gpu", 0, 1, gpus(3), "z-a"),
            PlannedJobBuilder.job(0).gpus(0.25).tasks(12, ofMinutes(30)));

    scriptedWorld.until(() -> scriptedWorld.running().size() == 12, ofMinutes(15));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void devicesAreSharedWhileMemoryFits(long seed) {
    var gib = 1L << 30;
    var scriptedWorld =
        stage(
            seed,
            pool("gpu", 0, 2, gpus(2).withGpuMemory(16 * gib), "z-a"),
            // By memory alone: a quarter of a device each.
            PlannedJobBuilder.job(0).gpus(0).gpuMemory(4 * gib).tasks(5, ofHours(10)),
            // Its part has room on the first machine, and its memory has not.
            PlannedJobBuilder.job(1)
                .gpus(0.25)
                .gpuMemory(13 * gib)
                .at(ofMinutes(20))
                .tasks(1, ofMinutes(5)));

    scriptedWorld.until(() -> running(scriptedWorld, 0).size() == 5, ofMinutes(15));
    assertThat(everLaunched(scriptedWorld)).isOne();
    scriptedWorld.until(() -> running(scriptedWorld, 1).size() == 1, ofMinutes(30));
    assertThat(everLaunched(scriptedWorld)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void zoneThatTakesMachinesBackAtOnceIsLeft(long seed) {
    var scriptedWorld =
        stage(
            seed,
            pool("small", 0, 8, cpus(4), "z-a", "z-b"),
            PlannedJobBuilder.job(0).cpus(4).tasks(8, ofMinutes(3)));
    takeBack(scriptedWorld, "z-a", ofMinutes(1), ofMinutes(30));

    assertThat(scriptedWorld.ended()).isTrue();
    assertThat(everLaunched(scriptedWorld)).isLessThanOrEqualTo(24);
  }

  /** Preempts each machine of the zone a fixed time after its first sync. */
  private static void takeBack(
      ScriptedWorld scriptedWorld, String zone, Duration after, Duration most) {
    var end = scriptedWorld.now().plus(most);
    while (scriptedWorld.now().isBefore(end) && !scriptedWorld.ended()) {
      scriptedWorld.advance(ofSeconds(10));
      for (var worker : scriptedWorld.workers())
        if (worker.zone().equals(zone)
            && worker.state().live()
            && worker
                .firstSyncAt()
                .filter(t -> !t.plus(after).isAfter(scriptedWorld.now()))
                .isPresent())
          scriptedWorld
              .world
              .fleet()
              .preempt(scriptedWorld.host(worker.name()).machine(), false, ofSeconds(1), false);
    }
  }

  @Test
  void preemptingZoneIsTriedAgain() {
    var scriptedWorld =
        stage(
            1,
            pool("small", 0, 4, cpus(4), "z-a"),
            PlannedJobBuilder.job(0).cpus(4).tasks(4, ofMinutes(3)));
    takeBack(scriptedWorld, "z-a", ofMinutes(1), ofHours(1));
    assertThat(scriptedWorld.ended()).isFalse();
    assertThat(everLaunched(scriptedWorld)).isLessThanOrEqualTo(40);

    scriptedWorld.until(scriptedWorld::ended, ofMinutes(40));
  }

  @Test
  void noticedPreemptionIsRememberedOnce() {
    var scriptedWorld =
        stage(
            1, pool("small", 0, 1, cpus(4), "z-a"), PlannedJobBuilder.job(0).tasks(1, ofHours(1)));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 1, ofMinutes(15));
    var simHost = scriptedWorld.host(scriptedWorld.running().getFirst().worker());

    scriptedWorld.world.fleet().preempt(simHost.machine(), true, ofSeconds(1), false);
    scriptedWorld.advance(ofMinutes(5));

    assertThat(scriptedWorld.world.truth().all(Stockout.class))
        .filteredOn(stockout -> stockout.code().equals("PREEMPTED"))
        .singleElement()
        .satisfies(s -> assertThat(s.seen()).hasSize(1));
  }

  @Test
  void stoppedJobsMachinesAreCancelled() {
    var scriptedWorld =
        stage(
            1,
            pool("small", 0, 40, cpus(4), "z-a"),
            PlannedJobBuilder.job(0)
                .cpus(4)
                .tasks(40, ofHours(1))
                .stopAt(ofMinutes(2).plusSeconds(4)));

    scriptedWorld.until(() -> everLaunched(scriptedWorld) > 0, ofMinutes(10));
    scriptedWorld.until(() -> scriptedWorld.world.fleet().machines().isEmpty(), ofMinutes(5));
  }
}
