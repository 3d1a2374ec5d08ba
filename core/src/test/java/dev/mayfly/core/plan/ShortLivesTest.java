package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.pool;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs whose tasks may take longer than their machines live. */
class ShortLivesTest {
  private static ClusterSpec cluster(PoolSpec... pools) {
    return SpecFixtures.cluster(pools);
  }

  private static JobSpec job(Duration timeout, TaskEnvironment environment) {
    var run = SpecFixtures.run(List.of("train"), Map.of(), timeout);
    return SpecFixtures.job(1, run.with(environment));
  }

  private static Optional<InputError> warning(Duration timeout, PoolSpec... pools) {
    return ShortLives.of(job(timeout, TaskEnvironment.NONE), cluster(pools));
  }

  private static PoolSpec living(String name, Duration life) {
    return pool(name).life(life).build();
  }

  @Test
  void taskThatMayOutliveEveryMachineIsNamed() {
    assertThat(warning(ofHours(24), living("a", ofHours(5)), living("b", ofHours(3))))
        .contains(
            new InputError(
                "timeout",
                "lets a task run for 24h, and the machines that it may use live for 5h at most (pools[].life): a task that takes longer is cut off and begins again from zero; write a timeout below 5h, name a checkpoint, or raise the life of pool a"));
  }

  @Test
  void oneMachineThatLivesLongEnoughIsEnough() {
    assertThat(warning(ofHours(24), living("a", ofHours(5)), living("b", ofHours(24)))).isEmpty();
    assertThat(warning(ofHours(4), living("a", ofHours(5)))).isEmpty();
  }

  @Test
  void defaultsOfBothAreNoReasonToWarn() {
    assertThat(warning(ofHours(24), pool("a").build())).isEmpty();
  }

  @Test
  void checkpointMakesAnEndHarmless() {
    var kept = TaskEnvironment.NONE.withCheckpoint(Optional.of("gs://lab/ck/{index}/"));

    assertThat(ShortLives.of(job(ofHours(24), kept), cluster(living("a", ofHours(5))))).isEmpty();
  }

  @Test
  void machinesOfUsersLiveOn() {
    var own = pool("desks").provisioning(Provisioning.STATIC).life(ofHours(1)).build();

    assertThat(warning(ofHours(24), own, living("a", ofHours(5)))).isEmpty();
  }
}
