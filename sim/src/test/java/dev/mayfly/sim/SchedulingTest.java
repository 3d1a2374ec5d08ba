package dev.mayfly.sim;

import static dev.mayfly.sim.SchedulingStages.cpus;
import static dev.mayfly.sim.SchedulingStages.ended;
import static dev.mayfly.sim.SchedulingStages.everLaunched;
import static dev.mayfly.sim.SchedulingStages.gpus;
import static dev.mayfly.sim.SchedulingStages.pool;
import static dev.mayfly.sim.SchedulingStages.reasons;
import static dev.mayfly.sim.SchedulingStages.running;
import static dev.mayfly.sim.SchedulingStages.stage;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Stockout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of a cluster with what plans are about: machines that are too few, unfit, taken back. */
class SchedulingTest {
  @Test
  void machineWithoutDriverIsReplacedFewTimesAndThenSeldom() {
    var stage = stage(1, pool("small", 0, 5, cpus(4), "z-a"), SimJob.job(0));
    var lacks = stage.world.skies().lacks;
    lacks.put("small", "driver: no GPU of 1");

    stage.until(() -> everLaunched(stage) == 3, ofMinutes(40));
    stage.pass(ofMinutes(5));
    assertThat(stage.workers()).noneMatch(w -> w.state().live());
    assertThat(reasons(stage, 0))
        .anySatisfy(r -> {
          assertThat(r.kind()).isEqualTo("unfit");
          assertThat(r.text()).contains("3 machines of pool small", "driver: no GPU of 1");
        });
    stage.pass(ofHours(6));
    assertThat(everLaunched(stage)).isBetween(6, 12);

    lacks.clear();
    stage.until(stage::ended, ofHours(2));
    assertThat(stage.begun(1)).isOne();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void largeTaskBeginsWhileSmallOnesWait(long seed) {
    var stage =
        stage(
            seed,
            pool("small", 0, 2, cpus(16), "z-a"),
            SimJob.job(0).priority(10).tasks(1_500, ofMinutes(1)),
            SimJob.job(1).priority(90).cpus(16).at(ofMinutes(10)).tasks(1, ofMinutes(2)));
    stage.pass(ofMinutes(12));
    assertThat(stage.running()).hasSizeGreaterThan(16);

    stage.until(() -> running(stage, 1).size() == 1, ofMinutes(12));
    assertThat(ended(stage, 0)).isFalse();
    stage.until(stage::ended, ofHours(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void largeTaskOfAnEqualOwnerHasItsTurnToo(long seed) {
    var stage =
        stage(
            seed,
            pool("small", 0, 2, cpus(16), "z-a"),
            SimJob.job(0).of("ada").tasks(1_500, ofMinutes(1)),
            SimJob.job(1).of("bob").cpus(16).at(ofMinutes(10)).tasks(1, ofMinutes(2)));

    stage.until(() -> running(stage, 1).size() == 1, ofMinutes(30));
    assertThat(ended(stage, 0)).isFalse();
  }

  @Test
  void shortTasksUseWhatIsKeptUntilItIsNeeded() {
    var hour = ofHours(1);
    var stage =
        stage(
            1,
            pool("small", 0, 1, cpus(16), "z-a"),
            SimJob.job(0).cpus(4).tasks(2, hour).timeout(hour.plusMinutes(1)),
            SimJob.job(1).priority(60).cpus(16).at(ofMinutes(5)).tasks(1, ofMinutes(2)),
            SimJob.job(2).at(ofMinutes(8)).tasks(16, ofMinutes(1)).timeout(ofMinutes(2)),
            SimJob.job(3).at(ofMinutes(8)).tasks(16, ofMinutes(1)).timeout(ofHours(2)));

    stage.until(() -> ended(stage, 2), ofMinutes(30));
    assertThat(running(stage, 3)).as("it may run for too long").isEmpty();
    assertThat(reasons(stage, 3)).anyMatch(r -> r.kind().equals("kept"));
    var after = stage.until(() -> running(stage, 1).size() == 1, ofHours(1));
    assertThat(after).isBetween(ofMinutes(30), ofMinutes(62));
  }

  @Test
  void tasksOfMostOfAGpuHaveADeviceEach() {
    var stage =
        stage(
            1, pool("gpu", 0, 4, gpus(2), "z-a"), SimJob.job(0).gpus(0.6).tasks(3, ofMinutes(30)));

    stage.until(() -> stage.running().size() == 3, ofMinutes(15));
    assertThat(everLaunched(stage)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void partOfAGpuIsNotGrantedWhereNoDeviceHasIt(long seed) {
    var stage =
        stage(
            seed,
            pool("gpu", 0, 2, gpus(4), "z-a"),
            SimJob.job(0).gpus(0.4).tasks(8, ofHours(10)),
            SimJob.job(1).gpus(0.5).at(ofMinutes(20)).tasks(1, ofMinutes(5)));

    stage.until(() -> running(stage, 0).size() == 8, ofMinutes(15));
    assertThat(everLaunched(stage)).isOne();
    stage.until(() -> running(stage, 1).size() == 1, ofMinutes(30));
  }

  @Test
  void twelveSeedsShareThreeGpus() {
    var stage =
        stage(
            1,
            pool("gpu", 0, 1, gpus(3), "z-a"),
            SimJob.job(0).gpus(0.25).tasks(12, ofMinutes(30)));

    stage.until(() -> stage.running().size() == 12, ofMinutes(15));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void zoneThatTakesMachinesBackAtOnceIsLeft(long seed) {
    var stage =
        stage(
            seed,
            pool("small", 0, 8, cpus(4), "z-a", "z-b"),
            SimJob.job(0).cpus(4).tasks(8, ofMinutes(3)));
    takeBack(stage, "z-a", ofMinutes(1), ofMinutes(30));

    assertThat(stage.ended()).isTrue();
    assertThat(everLaunched(stage)).isLessThanOrEqualTo(24);
  }

  /** Each machine of the zone is preempted so long after it spoke first. */
  private static void takeBack(Stage stage, String zone, Duration after, Duration most) {
    var end = stage.now().plus(most);
    while (stage.now().isBefore(end) && !stage.ended()) {
      stage.pass(ofSeconds(10));
      for (var worker : stage.workers())
        if (worker.zone().equals(zone)
            && worker.state().live()
            && worker.firstSyncAt().filter(t -> !t.plus(after).isAfter(stage.now())).isPresent())
          stage
              .world
              .fleet()
              .preempt(stage.host(worker.name()).machine(), false, ofSeconds(1), false);
    }
  }

  @Test
  void zoneThatTookMachinesBackIsAskedAgain() {
    var stage =
        stage(1, pool("small", 0, 4, cpus(4), "z-a"), SimJob.job(0).cpus(4).tasks(4, ofMinutes(3)));
    takeBack(stage, "z-a", ofMinutes(1), ofHours(1));
    assertThat(stage.ended()).isFalse();
    assertThat(everLaunched(stage)).isLessThanOrEqualTo(40);

    stage.until(stage::ended, ofMinutes(40));
  }

  @Test
  void machineTakenAfterANoticeIsRememberedOnce() {
    var stage = stage(1, pool("small", 0, 1, cpus(4), "z-a"), SimJob.job(0).tasks(1, ofHours(1)));
    stage.until(() -> stage.running().size() == 1, ofMinutes(15));
    var host = stage.host(stage.running().getFirst().worker());

    stage.world.fleet().preempt(host.machine(), true, ofSeconds(1), false);
    stage.pass(ofMinutes(5));

    assertThat(stage.world.truth().all(Stockout.class))
        .singleElement()
        .satisfies(s -> assertThat(s.seen()).hasSize(1));
  }

  @Test
  void machinesOnTheirWayForAStoppedJobAreCalledOff() {
    var stage =
        stage(
            1,
            pool("small", 0, 40, cpus(4), "z-a"),
            SimJob.job(0).cpus(4).tasks(40, ofHours(1)).stopAt(ofMinutes(2).plusSeconds(4)));

    stage.until(() -> everLaunched(stage) > 0, ofMinutes(10));
    stage.until(() -> stage.world.fleet().machines().isEmpty(), ofMinutes(5));
  }
}
