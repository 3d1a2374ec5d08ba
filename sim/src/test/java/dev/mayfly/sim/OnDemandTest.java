package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobSpec.OnDemand;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.sim.check.Proc;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From spot machines to on-demand ones, by preemptions and by a deadline. */
class OnDemandTest {
  private static final PoolSpec SPOT =
      new PoolSpec(
          "small",
          "n2-standard-4",
          Resources.cpu(4, 16 * Stage.GIB),
          List.of("z-a"),
          Provisioning.SPOT,
          0,
          4,
          ofMinutes(5),
          ofHours(24));

  private static PlannedJob job(int tasks, Duration each, OnDemand wish) {
    var like = Stage.job(0, tasks, 4, each, false);
    var s = like.spec();
    var spec =
        new JobSpec(
            s.name(),
            s.cluster(),
            s.owner(),
            s.tasks(),
            s.data(),
            s.run(),
            s.resources(),
            new JobSpec.Retries(1, 100, wish),
            s.priority(),
            List.of(),
            false);
    return new PlannedJob(0, spec, like.at(), Optional.empty(), Optional.empty(), 0, 0, each, each);
  }

  private static Stage stage(long seed, PlannedJob job) {
    return Stage.of(CorePlane::new, seed, List.of(SPOT, SPOT.fallback(2)), job);
  }

  private static Worker worker(Stage stage, Proc process) {
    return stage.workers().stream()
        .filter(w -> w.name().equals(process.worker()))
        .findFirst()
        .orElseThrow();
  }

  private static boolean onSpot(Stage stage, Proc process) {
    return worker(stage, process).provisioning() == Provisioning.SPOT;
  }

  private static List<Proc> running(Stage stage, Provisioning how) {
    return stage.running().stream().filter(p -> worker(stage, p).provisioning() == how).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aTaskThatWasPreemptedTwiceRunsOnDemandAndTheOthersStayOnSpot(long seed) {
    var wish = new OnDemand(2, Optional.empty(), Duration.ZERO);
    var stage = stage(seed, job(3, ofMinutes(100), wish));
    stage.until(() -> stage.running().size() == 3, ofMinutes(30));
    var task = stage.running().getFirst().task();

    for (var times = 0; times < 2; times++) {
      var victim = stage.running().stream().filter(p -> p.task().equals(task)).findFirst();
      assertThat(onSpot(stage, victim.orElseThrow())).isTrue();
      var host = stage.host(victim.orElseThrow().worker());
      stage.world.fleet().preempt(host.machine(), false, ofSeconds(1), false);
      stage.until(() -> !host.on(), ofMinutes(2));
      stage.until(
          () ->
              stage.running().stream()
                  .anyMatch(p -> p.task().equals(task) && !p.worker().equals(host.worker())),
          ofMinutes(30));
    }

    assertThat(running(stage, Provisioning.ON_DEMAND))
        .extracting(p -> p.task())
        .containsExactly(task);
    assertThat(running(stage, Provisioning.SPOT)).hasSize(2);
    stage.until(stage::ended, ofHours(5));
    stage.until(
        () ->
            stage.workers().stream()
                .filter(w -> w.provisioning() == Provisioning.ON_DEMAND)
                .noneMatch(w -> w.state().live()),
        ofMinutes(40));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void nearItsDeadlineAJobRunsOnDemandTooAndNotBefore(long seed) {
    var wish = new OnDemand(0, Optional.of(ofHours(3)), ofHours(2));
    var stage = stage(seed, job(60, ofMinutes(20), wish));
    stage.until(() -> stage.running().size() == 4, ofMinutes(30));

    stage.pass(ofMinutes(20));
    assertThat(running(stage, Provisioning.ON_DEMAND)).isEmpty();

    stage.until(() -> running(stage, Provisioning.ON_DEMAND).size() == 2, ofMinutes(60));
    assertThat(running(stage, Provisioning.SPOT)).hasSize(4);
  }
}
