package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.check.Proc;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host of a gang that freezes: how soon the task runs on other hosts. */
class GangLossTest {
  private static PoolSpec pool(String name, String type, int workers) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16 * Stage.GIB),
        List.of("z-a"),
        Provisioning.SPOT,
        workers,
        workers,
        ofMinutes(30),
        ofHours(24));
  }

  /** Freezes the last of so many hosts, and waits until the task runs without its machine. */
  private static void freezeAndRunAgain(Stage stage, int hosts) {
    stage.until(() -> stage.running().size() == hosts, ofMinutes(40));
    stage.pass(ofSeconds(20));
    var last = stage.running().getLast();

    stage.host(host(last)).freeze();
    stage.until(() -> state(stage, last.worker()) instanceof WorkerState.Lost, ofMinutes(4));
    var again =
        stage.until(
            () ->
                stage.running().stream().filter(p -> !p.worker().equals(last.worker())).count()
                    == hosts,
            ofMinutes(20));

    assertThat(again).isLessThan(ofSeconds(60));
  }

  private static String host(Proc process) {
    return process.worker() + (process.host() == 0 ? "" : "/" + process.host());
  }

  private static WorkerState state(Stage stage, String worker) {
    return stage.workers().stream()
        .filter(w -> w.name().equals(worker))
        .findFirst()
        .orElseThrow()
        .state();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void frozenHostOfAGangIsReplacedWithinAMinuteOfItsLoss(long seed) {
    var job = Stage.on("cpu", 2, Stage.job(0, 1, 2, ofHours(1), false));
    freezeAndRunAgain(
        Stage.of(CorePlane::new, seed, List.of(pool("cpu", "n2-standard-4", 3)), job), 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void sliceWithAFrozenHostIsReplacedWithinAMinuteOfItsLoss(long seed) {
    var job = Stage.on("pod", 0, Stage.job(0, 1, 1, ofHours(1), false));
    freezeAndRunAgain(Stage.of(CorePlane::new, seed, List.of(pool("pod", "v4-32", 2)), job), 4);
  }
}
