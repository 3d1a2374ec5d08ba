package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ranks that end long after the others. */
class GangEndTest {
  private static final PoolSpec POOL =
      new PoolSpec(
          "cpu",
          "n2-standard-4",
          Resources.cpu(4, 16 * Stage.GIB),
          List.of("z-a"),
          Provisioning.SPOT,
          0,
          3,
          ofMinutes(5),
          ofHours(24));

  /** Three hosts that run for a minute, and rank 0 for so long after that. */
  private static Stage lingering(Duration rankZero, Optional<Duration> settle) {
    var job = Stage.on("cpu", 3, Stage.job(0, 1, 2, ofMinutes(1), false));
    var spec = job.spec();
    var run = spec.run();
    var command = List.of("work", rankZero.toString());
    var lingers =
        new JobSpec.Run(command, run.code(), run.env(), run.timeout(), run.grace(), run.cutOff());
    var together =
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            spec.tasks(),
            spec.data(),
            lingers,
            spec.resources(),
            spec.retries(),
            spec.priority(),
            spec.place(),
            spec.exclusive(),
            spec.gang(),
            spec.anyRegion(),
            settle);
    var planned =
        new PlannedJob(
            0, together, job.at(), job.stopAt(), job.again(), 0, 0, job.shortest(), job.longest());
    return Stage.of(CorePlane::new, 3, List.of(POOL), planned);
  }

  private static JobState.Result result(Stage stage) {
    var job = stage.world.truth().all(Job.class).getFirst();
    return ((JobState.Ended) job.state()).result();
  }

  /** The same three machines from the beginning to the end. */
  private static void assertMachinesKept(Stage stage) {
    assertThat(stage.workers()).hasSize(3);
    assertThat(stage.workers()).extracting(Worker::state).allMatch(s -> s.live());
  }

  @Test
  void rankZeroThatEndsTwentyMinutesAfterTheOthersSucceeds() {
    var stage = lingering(ofMinutes(20), Optional.empty());

    stage.until(stage::ended, ofHours(1));

    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(stage.begun(1)).isEqualTo(3);
    assertMachinesKept(stage);
  }

  /** It ended in time, and had nobody to tell. */
  @Test
  void rankThatEndsDuringAnOutageHasMissedNoLimit() {
    var stage = lingering(ofMinutes(3), Optional.of(ofMinutes(4)));
    stage.until(() -> stage.running().size() == 1, ofMinutes(30));

    stage.world.gateway().goAway();
    stage.pass(ofMinutes(10));
    stage.world.gateway().comeBack();
    stage.until(stage::ended, ofHours(1));

    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(stage.begun(1)).isEqualTo(3);
    assertMachinesKept(stage);
  }

  @Test
  void rankThatMissesTheJobsOwnLimitIsATimeoutAndKeepsItsMachine() {
    var stage = lingering(ofMinutes(20), Optional.of(ofMinutes(4)));

    stage.until(stage::ended, ofHours(1));

    assertThat(result(stage)).isEqualTo(JobState.Result.FAILED);
    assertThat(stage.world.truth().all(Shard.class))
        .extracting(Shard::attempts)
        .containsExactly(Map.of(Cause.TIMEOUT, 1L));
    assertMachinesKept(stage);
  }
}
