package dev.mayfly.sim;

import static dev.mayfly.sim.SchedulingStages.cpus;
import static dev.mayfly.sim.SchedulingStages.ended;
import static dev.mayfly.sim.SchedulingStages.everLaunched;
import static dev.mayfly.sim.SchedulingStages.pool;
import static dev.mayfly.sim.SchedulingStages.running;
import static dev.mayfly.sim.SchedulingStages.stage;
import static dev.mayfly.sim.SchedulingStages.zones;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of a cluster in which jobs wait for several machines at once. */
class GangSchedulingTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void earlierGangKeepsWhatItWaitsWith(long seed) {
    var jobs = new SimJob[21];
    jobs[0] = SimJob.job(0).gang(4).priority(90).tasks(1, ofMinutes(5));
    for (var i = 1; i < jobs.length; i++)
      jobs[i] = SimJob.job(i).gang(2).priority(10).tasks(1, ofMinutes(20));
    var stage = stage(seed, pool("small", 0, 8, cpus(4), "z-a"), jobs);
    var fleet = stage.world.fleet();
    fleet.stock("z-a", 3);
    stage.pass(ofHours(1));
    assertThat(running(stage, 0)).isEmpty();
    assertThat(stage.running()).as("what it cannot use now is used by others").hasSize(2);

    fleet.stock("z-a", 4 - fleet.machines().size());
    stage.until(() -> running(stage, 0).size() == 4, ofHours(2));
    stage.until(stage::ended, ofHours(8));
  }

  @Test
  void waitingGangLeavesPoolsThatCannotHoldIt() {
    var dev = pool("dev", 2, 2, cpus(4), "z-a");
    var train = pool("train", 0, 8, cpus(4), "z-b");
    var stage =
        stage(
            1,
            List.of(dev, train),
            SimJob.job(0).gang(8),
            SimJob.job(1).in("dev").tasks(8, ofMinutes(2)).at(ofMinutes(5)));
    stage.world.fleet().stock("z-b", 0);

    stage.until(() -> ended(stage, 1), ofMinutes(30));
    assertThat(ended(stage, 0)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void gangIsInOneZone(long seed) {
    var stage =
        stage(
            seed,
            pool("small", 0, 8, cpus(4), "us-west1-a", "us-east1-b"),
            SimJob.job(0).gang(4).tasks(1, ofMinutes(10)));
    var fleet = stage.world.fleet();
    fleet.stock("us-west1-a", 2);
    fleet.stock("us-east1-b", 2);
    stage.pass(ofHours(2));
    assertThat(stage.running()).isEmpty();

    fleet.stock("us-east1-b", 4);
    stage.until(() -> stage.running().size() == 4, ofHours(2));
    assertThat(zones(stage, stage.running())).containsExactly("us-east1-b");
  }

  @Test
  void gangWithoutItsLastMachineIsTriedMoreAndMoreSeldom() {
    var stage = stage(1, pool("small", 0, 8, cpus(4), "z-a"), SimJob.job(0).gang(4));
    stage.world.fleet().stock("z-a", 3);
    stage.pass(ofHours(12));

    assertThat(stage.running()).isEmpty();
    assertThat(everLaunched(stage)).isBetween(9, 60);
  }
}
