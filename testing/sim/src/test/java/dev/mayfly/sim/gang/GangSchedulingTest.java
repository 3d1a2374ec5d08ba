package dev.mayfly.sim.gang;

import static dev.mayfly.sim.fixture.SmallClusters.cpus;
import static dev.mayfly.sim.fixture.SmallClusters.ended;
import static dev.mayfly.sim.fixture.SmallClusters.everLaunched;
import static dev.mayfly.sim.fixture.SmallClusters.pool;
import static dev.mayfly.sim.fixture.SmallClusters.running;
import static dev.mayfly.sim.fixture.SmallClusters.stage;
import static dev.mayfly.sim.fixture.SmallClusters.zones;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fixture.PlannedJobBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of a cluster whose jobs wait for several machines at once. */
class GangSchedulingTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void earlierGangKeepsWhatItWaitsWith(long seed) {
    var jobs = new PlannedJobBuilder[21];
    jobs[0] = PlannedJobBuilder.job(0).gang(4).priority(90).tasks(1, ofMinutes(5));
    for (var i = 1; i < jobs.length; i++)
      jobs[i] = PlannedJobBuilder.job(i).gang(2).priority(10).tasks(1, ofMinutes(20));
    var scriptedWorld = stage(seed, pool("small", 0, 8, cpus(4), "z-a"), jobs);
    var fleet = scriptedWorld.world.fleet();
    fleet.stock("z-a", 3);
    scriptedWorld.advance(ofHours(1));
    assertThat(running(scriptedWorld, 0)).isEmpty();
    assertThat(scriptedWorld.running()).as("what it cannot use now is used by others").hasSize(2);

    fleet.stock("z-a", 4 - fleet.machines().size());
    scriptedWorld.until(() -> running(scriptedWorld, 0).size() == 4, ofHours(2));
    scriptedWorld.until(scriptedWorld::ended, ofHours(8));
  }

  @Test
  void waitingGangLeavesPoolsThatCannotHoldIt() {
    var dev = pool("dev", 2, 2, cpus(4), "z-a");
    var train = pool("train", 0, 8, cpus(4), "z-b");
    var scriptedWorld =
        stage(
            1,
            List.of(dev, train),
            PlannedJobBuilder.job(0).gang(8),
            PlannedJobBuilder.job(1).in("dev").tasks(8, ofMinutes(2)).at(ofMinutes(5)));
    scriptedWorld.world.fleet().stock("z-b", 0);

    scriptedWorld.until(() -> ended(scriptedWorld, 1), ofMinutes(30));
    assertThat(ended(scriptedWorld, 0)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void gangIsInOneZone(long seed) {
    var scriptedWorld =
        stage(
            seed,
            pool("small", 0, 8, cpus(4), "us-west1-a", "us-east1-b"),
            PlannedJobBuilder.job(0).gang(4).tasks(1, ofMinutes(10)));
    var fleet = scriptedWorld.world.fleet();
    fleet.stock("us-west1-a", 2);
    fleet.stock("us-east1-b", 2);
    scriptedWorld.advance(ofHours(2));
    assertThat(scriptedWorld.running()).isEmpty();

    fleet.stock("us-east1-b", 4);
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4, ofHours(2));
    assertThat(zones(scriptedWorld, scriptedWorld.running())).containsExactly("us-east1-b");
  }

  @Test
  void incompleteGangIsRetriedLessOften() {
    var scriptedWorld =
        stage(1, pool("small", 0, 8, cpus(4), "z-a"), PlannedJobBuilder.job(0).gang(4));
    scriptedWorld.world.fleet().stock("z-a", 3);
    scriptedWorld.advance(ofHours(12));

    assertThat(scriptedWorld.running()).isEmpty();
    assertThat(everLaunched(scriptedWorld)).isBetween(9, 60);
  }
}
