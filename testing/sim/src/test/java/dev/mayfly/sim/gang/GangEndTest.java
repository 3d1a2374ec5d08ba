package dev.mayfly.sim.gang;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.TaskModel;
import dev.mayfly.sim.spec.RunBuilder;
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
          Resources.cpu(4, 16 * ScriptedWorld.GIB),
          List.of("z-a"),
          Provisioning.SPOT,
          0,
          3,
          ofMinutes(5),
          ofHours(24),
          MachineSpec.PLAIN);

  /** Three hosts that run for a minute, and rank 0 for {@code rankZero} longer. */
  private static ScriptedWorld lingering(Duration rankZero, Optional<Duration> settle) {
    var job = ScriptedWorld.on("cpu", 3, ScriptedWorld.job(0, 1, 2, ofMinutes(1), false));
    var spec = job.spec();
    var run = spec.run();
    var command = List.of("work", rankZero.toString());
    var lingers = RunBuilder.like(run).command(command).build();
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
            settle,
            Optional.empty());
    var planned =
        new PlannedJob(0, together, job.at(), job.stopAt(), job.again(), 0, 0, job.tasks());
    return ScriptedWorld.of(CoreControlPlane::new, 3, List.of(POOL), planned);
  }

  private static JobState.Result result(ScriptedWorld scriptedWorld) {
    var job = scriptedWorld.world.truth().all(Job.class).getFirst();
    return job.state().end().orElseThrow().result();
  }

  /** Asserts the same three machines from start to end. */
  private static void assertMachinesKept(ScriptedWorld scriptedWorld) {
    assertThat(scriptedWorld.workers()).hasSize(3);
    assertThat(scriptedWorld.workers()).extracting(Worker::state).allMatch(s -> s.live());
  }

  @Test
  void lateRankZeroSucceeds() {
    var scriptedWorld = lingering(ofMinutes(20), Optional.empty());

    scriptedWorld.until(scriptedWorld::ended, ofHours(1));

    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(scriptedWorld.begun(1)).isEqualTo(3);
    assertMachinesKept(scriptedWorld);
  }

  /** The rank exited in time, but could not report it. */
  @Test
  void rankEndingDuringOutageMissesNoLimit() {
    var scriptedWorld = lingering(ofMinutes(3), Optional.of(ofMinutes(4)));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 1, ofMinutes(30));

    scriptedWorld.world.gateway().stopAll();
    scriptedWorld.advance(ofMinutes(10));
    scriptedWorld.world.gateway().startAll();
    scriptedWorld.until(scriptedWorld::ended, ofHours(1));

    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(scriptedWorld.begun(1)).isEqualTo(3);
    assertMachinesKept(scriptedWorld);
  }

  @Test
  void rankMissingLimitTimesOutAndKeepsMachine() {
    var scriptedWorld = lingering(ofMinutes(20), Optional.of(ofMinutes(4)));

    scriptedWorld.until(scriptedWorld::ended, ofHours(1));

    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.FAILED);
    assertThat(scriptedWorld.world.truth().all(Shard.class))
        .extracting(Shard::attempts)
        .containsExactly(Map.of(FailureCause.TIMEOUT, 1L));
    assertMachinesKept(scriptedWorld);
  }

  /** All of a run that ends without a result is waste of its task's own making, on every host. */
  @Test
  void runOfFailedGangIsWasteOnEachHost() {
    var scriptedWorld = lingering(ofMinutes(20), Optional.of(ofMinutes(4)));

    scriptedWorld.until(scriptedWorld::ended, ofHours(1));

    assertThat(scriptedWorld.workers())
        .allSatisfy(worker -> {
          assertThat(spent(worker, Purpose.FAILED)).isBetween(ofMinutes(5), ofMinutes(7));
          assertThat(spent(worker, Purpose.TASKS)).isLessThan(ofMinutes(1));
          assertThat(spent(worker, Purpose.LOST)).isZero();
        });
  }

  @Test
  void hostThatFailedFirstIsKeptWithItsFolder() {
    var job = ScriptedWorld.on("cpu", 3, ScriptedWorld.job(0, 1, 2, ofMinutes(1), false));
    var spec = job.spec();
    var keeping = spec.with(spec.run().taskEnvironment().keepingFailed(ofHours(1)));
    var fails = new TaskModel(job.tasks().runs(), 1);
    var planned = new PlannedJob(0, keeping, job.at(), job.stopAt(), job.again(), 0, 0, fails);
    var scriptedWorld = ScriptedWorld.of(CoreControlPlane::new, 3, List.of(POOL), planned);

    scriptedWorld.until(scriptedWorld::ended, ofHours(1));
    scriptedWorld.advance(ofMinutes(30));

    var kept = scriptedWorld.workers().stream().filter(it -> it.cordon().isPresent()).toList();
    assertThat(kept).hasSize(1);
    assertThat(kept.getFirst().state().live()).isTrue();
    assertThat(kept.getFirst().cordon().orElseThrow().kept().orElseThrow().folder()).isPresent();
    assertThat(
            scriptedWorld.world.truth().all(Shard.class).getFirst().evidence().getLast().worker())
        .isEqualTo(kept.getFirst().name());
  }

  private static Duration spent(Worker worker, Purpose purpose) {
    return Duration.ofMillis(
        worker.usage().orElseThrow().entries().stream()
            .filter(entry -> entry.purpose() == purpose)
            .mapToLong(MachineUsage.Entry::millis)
            .sum());
  }
}
