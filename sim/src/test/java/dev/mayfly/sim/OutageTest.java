package dev.mayfly.sim;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A silence that everybody shares is ours, and loses nobody (decision 6). */
class OutageTest {
  private static final int WORKERS = 5;
  private static final int TASKS = 6;

  /** Some workers busy for an hour, and some idle. */
  private static Stage busyAndIdle(long seed) {
    var stage =
        Stage.of(seed, WORKERS, WORKERS, Stage.job(0, TASKS, 2, Duration.ofHours(1), false));
    stage.until(() -> stage.ready() == WORKERS && stage.running().size() == TASKS, ofMinutes(15));
    return stage.pass(ofSeconds(20 + seed));
  }

  private static void assertNothingHappened(Stage stage) {
    assertThat(stage.lost()).isZero();
    assertThat(stage.running()).hasSize(TASKS);
    assertThat(stage.begun(TASKS)).isEqualTo(TASKS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anOutageOfTenMinutesLosesNobodyAndRepeatsNothing(long seed) {
    var stage = busyAndIdle(seed);

    stage.world.gateway().goAway();
    stage.pass(ofMinutes(10));
    stage.world.gateway().comeBack();
    stage.pass(ofMinutes(10));

    assertNothingHappened(stage);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anOutageOf45SecondsLosesNobodyThoughAgentsReturnOneByOne(long seed) {
    var stage = busyAndIdle(seed);

    stage.world.gateway().goAway();
    stage.pass(ofSeconds(45));
    stage.world.gateway().comeBack();
    stage.pass(ofMinutes(10));

    assertNothingHappened(stage);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 20, 90, 400})
  void aBlipOfTheDatabaseRepeatsNothing(int seconds) {
    var stage = busyAndIdle(seconds);

    for (var i = 0; i < 3; i++) {
      stage.world.skies().ledger = false;
      stage.pass(ofSeconds(seconds));
      stage.world.skies().ledger = true;
      stage.pass(ofSeconds(30));
    }
    stage.pass(ofMinutes(5));

    assertNothingHappened(stage);
  }

  /** Ticks go on all the while, and see machines that run and agents that are not heard. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void fiveMinutesWithoutTheFunctionOfTheWorkersLoseNobodyAndRepeatNothing(long seed) {
    var away = new AtomicBoolean();
    var stage =
        Stage.of(
            (ports, instance) -> new SplitPlane(ports, instance, away),
            seed,
            WORKERS,
            WORKERS,
            Stage.job(0, TASKS, 2, Duration.ofHours(1), false));
    stage.until(() -> stage.ready() == WORKERS && stage.running().size() == TASKS, ofMinutes(15));
    stage.pass(ofSeconds(20 + seed));

    away.set(true);
    stage.pass(ofMinutes(5));
    away.set(false);
    stage.pass(ofMinutes(10));

    assertNothingHappened(stage);
  }

  @Test
  void fiveMinutesWithoutTheFunctionOfTheWorkersKillNoSlice() {
    var away = new AtomicBoolean();
    var pool =
        new PoolSpec(
            "pod",
            "v4-32",
            Resources.cpu(4, 16 * Stage.GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            2,
            2,
            ofMinutes(30),
            Duration.ofHours(24));
    var job = Stage.on("pod", 0, Stage.job(0, 1, 1, Duration.ofHours(1), false));
    var stage =
        Stage.of((ports, instance) -> new SplitPlane(ports, instance, away), 5, List.of(pool), job);
    stage.until(() -> stage.ready() == 2 && stage.running().size() == 4, ofMinutes(15));
    var before = stage.running();
    stage.pass(ofSeconds(25));

    away.set(true);
    stage.pass(ofMinutes(5));
    away.set(false);
    stage.pass(ofMinutes(10));

    assertThat(stage.running()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(stage.workers()).hasSize(2);
    assertThat(stage.lost()).isZero();
  }

  /** That the same world does notice who is dead: its tasks run elsewhere soon afterwards. */
  @Test
  void whoDiedWhileTheFunctionWasAwayIsLostWhenItIsBack() {
    var away = new AtomicBoolean();
    var stage =
        Stage.of(
            (ports, instance) -> new SplitPlane(ports, instance, away),
            9,
            WORKERS,
            WORKERS,
            Stage.job(0, TASKS, 2, Duration.ofHours(1), false));
    stage.until(() -> stage.ready() == WORKERS && stage.running().size() == TASKS, ofMinutes(15));

    away.set(true);
    stage.pass(ofMinutes(1));
    stage.host(stage.running().getFirst().worker()).freeze();
    stage.pass(ofMinutes(4));
    assertThat(stage.lost()).isZero();
    away.set(false);

    assertThat(stage.until(() -> stage.lost() == 1, ofMinutes(5))).isLessThan(ofSeconds(90));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatEndsDuringAnOutageIsFinishedAndNotRepeated(long seed) {
    var stage = Stage.of(seed, 0, 2, Stage.job(0, 8, 1, ofMinutes(3), false));
    stage.until(() -> stage.running().size() == 8, ofMinutes(15));

    stage.world.gateway().goAway();
    stage.pass(ofMinutes(8));
    assertThat(stage.running()).isEmpty();
    stage.world.gateway().comeBack();

    stage.until(stage::ended, ofMinutes(3));
    assertThat(stage.begun(8)).isEqualTo(8);
  }
}
