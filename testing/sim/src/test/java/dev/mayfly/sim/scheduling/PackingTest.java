package dev.mayfly.sim.scheduling;

import static dev.mayfly.sim.fixture.SmallClusters.cpus;
import static dev.mayfly.sim.fixture.SmallClusters.everLaunched;
import static dev.mayfly.sim.fixture.SmallClusters.gpus;
import static dev.mayfly.sim.fixture.SmallClusters.pool;
import static dev.mayfly.sim.fixture.SmallClusters.running;
import static dev.mayfly.sim.fixture.SmallClusters.stage;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fixture.PlannedJobBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks of several sizes on new machines: they are launched for all, and filled as planned. In
 * these seeds the first plan sees both jobs.
 */
class PackingTest {
  private static final Duration LONG = Duration.ofHours(5);

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 4, 5, 7, 8})
  void smallTasksFillTheGpuMachine(long seed) {
    var world =
        stage(
            seed,
            List.of(pool("cpu", 0, 9, cpus(16), "z-a"), pool("gpu", 0, 9, gpus(1), "z-a")),
            PlannedJobBuilder.job(0).tasks(30, LONG),
            PlannedJobBuilder.job(1).gpus(1).tasks(1, LONG));

    world.until(() -> world.running().size() == 31, ofMinutes(15));
    assertThat(everLaunched(world)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 4, 5, 7, 8})
  void smallTasksFillWhatLargeOnesLeave(long seed) {
    var world =
        stage(
            seed,
            pool("cpu", 0, 30, cpus(16), "z-a"),
            PlannedJobBuilder.job(0).tasks(50, LONG),
            PlannedJobBuilder.job(1).cpus(11).tasks(10, LONG));

    world.until(() -> world.running().size() == 60, ofMinutes(15));
    assertThat(everLaunched(world)).isEqualTo(10);
    assertThat(running(world, 1)).hasSize(10);
  }
}
