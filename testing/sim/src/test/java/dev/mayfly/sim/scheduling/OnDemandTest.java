package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.TaskProcess;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.TaskModel;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The switch from spot to on-demand machines, by preemptions and by a deadline. */
class OnDemandTest {
  private static final PoolSpec SPOT =
      new PoolSpec(
          "small",
          "n2-standard-4",
          Resources.cpu(4, 16 * ScriptedWorld.GIB),
          List.of("z-a"),
          Provisioning.SPOT,
          0,
          4,
          ofMinutes(5),
          ofHours(24),
          MachineSpec.PLAIN);

  private static final PoolSpec KEPT =
      new PoolSpec(
          "small",
          "n2-standard-4",
          Resources.cpu(4, 16 * ScriptedWorld.GIB),
          List.of("z-a"),
          Provisioning.SPOT,
          4,
          4,
          ofMinutes(5),
          ofHours(24),
          MachineSpec.PLAIN);

  private static PlannedJob job(int tasks, Duration each, OnDemandRules wish) {
    var like = ScriptedWorld.job(0, tasks, 4, each, false);
    var s = like.spec();
    var spec = JobBuilder.like(s).retries(new RetryRules(1, 100, wish, List.of())).build();
    return new PlannedJob(
        0, spec, like.at(), Optional.empty(), Optional.empty(), 0, 0, TaskModel.each(each));
  }

  private static ScriptedWorld stage(long seed, PlannedJob job) {
    return stage(seed, SPOT, job);
  }

  private static ScriptedWorld stage(long seed, PoolSpec spot, PlannedJob job) {
    return ScriptedWorld.of(CoreControlPlane::new, seed, List.of(spot, spot.fallback(2)), job);
  }

  private static Worker worker(ScriptedWorld scriptedWorld, TaskProcess process) {
    return scriptedWorld.workers().stream()
        .filter(w -> w.name().equals(process.worker()))
        .findFirst()
        .orElseThrow();
  }

  private static boolean onSpot(ScriptedWorld scriptedWorld, TaskProcess process) {
    return worker(scriptedWorld, process).provisioning() == Provisioning.SPOT;
  }

  private static List<TaskProcess> running(ScriptedWorld scriptedWorld, Provisioning how) {
    return scriptedWorld.running().stream()
        .filter(p -> worker(scriptedWorld, p).provisioning() == how)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void twicePreemptedTaskMovesToOnDemand(long seed) {
    var wish = new OnDemandRules(2, Optional.empty(), Duration.ZERO);
    var scriptedWorld = stage(seed, job(3, ofMinutes(100), wish));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 3, ofMinutes(30));
    var task = scriptedWorld.running().getFirst().task();

    for (var times = 0; times < 2; times++) {
      var victim = scriptedWorld.running().stream().filter(p -> p.task().equals(task)).findFirst();
      assertThat(onSpot(scriptedWorld, victim.orElseThrow())).isTrue();
      var simHost = scriptedWorld.host(victim.orElseThrow().worker());
      scriptedWorld.world.fleet().preempt(simHost.machine(), false, ofSeconds(1), false);
      scriptedWorld.until(() -> !simHost.on(), ofMinutes(2));
      scriptedWorld.until(
          () ->
              scriptedWorld.running().stream()
                  .anyMatch(p -> p.task().equals(task) && !p.worker().equals(simHost.worker())),
          ofMinutes(30));
    }

    assertThat(running(scriptedWorld, Provisioning.ON_DEMAND))
        .extracting(p -> p.task())
        .containsExactly(task);
    assertThat(running(scriptedWorld, Provisioning.SPOT)).hasSize(2);
    scriptedWorld.until(scriptedWorld::ended, ofHours(5));
    scriptedWorld.until(
        () ->
            scriptedWorld.workers().stream()
                .filter(w -> w.provisioning() == Provisioning.ON_DEMAND)
                .noneMatch(w -> w.state().live()),
        ofMinutes(40));
  }

  /** Spot machines that idle beside it find nothing, and this hides nothing from others. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void onDemandMachineGetsItsTaskAtOnce(long seed) {
    var wish = new OnDemandRules(1, Optional.empty(), Duration.ZERO);
    var scriptedWorld = stage(seed, KEPT, job(1, ofMinutes(100), wish));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 1, ofMinutes(30));
    scriptedWorld.advance(ofMinutes(5));

    var simHost = scriptedWorld.host(scriptedWorld.running().getFirst().worker());
    scriptedWorld.world.fleet().preempt(simHost.machine(), false, ofSeconds(1), false);
    scriptedWorld.until(
        () ->
            scriptedWorld.workers().stream()
                .anyMatch(w ->
                    w.provisioning() == Provisioning.ON_DEMAND
                        && w.state() instanceof WorkerState.Ready),
        ofMinutes(30));

    assertThat(
            scriptedWorld.until(
                () -> !running(scriptedWorld, Provisioning.ON_DEMAND).isEmpty(), ofMinutes(10)))
        .isLessThan(ofSeconds(20));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void jobNearDeadlineUsesOnDemandToo(long seed) {
    var wish = new OnDemandRules(0, Optional.of(ofHours(3)), ofHours(2));
    var scriptedWorld = stage(seed, job(60, ofMinutes(20), wish));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4, ofMinutes(30));

    scriptedWorld.advance(ofMinutes(20));
    assertThat(running(scriptedWorld, Provisioning.ON_DEMAND)).isEmpty();

    scriptedWorld.until(
        () -> running(scriptedWorld, Provisioning.ON_DEMAND).size() == 2, ofMinutes(60));
    assertThat(running(scriptedWorld, Provisioning.SPOT)).hasSize(4);
  }
}
