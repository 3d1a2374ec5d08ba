package dev.mayfly.sim.failure;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.fixture.SplitControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A silence that all workers share is the control plane's, and loses no worker (decision 6). */
class OutageTest {
  private static final int WORKERS = 5;
  private static final int TASKS = 6;

  /** Some workers busy for an hour, and some idle. */
  private static ScriptedWorld busyAndIdle(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(
            seed, WORKERS, WORKERS, ScriptedWorld.job(0, TASKS, 2, Duration.ofHours(1), false));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == WORKERS && scriptedWorld.running().size() == TASKS,
        ofMinutes(15));
    return scriptedWorld.advance(ofSeconds(20 + seed));
  }

  private static void assertNothingHappened(ScriptedWorld scriptedWorld) {
    assertThat(scriptedWorld.lost()).isZero();
    assertThat(scriptedWorld.running()).hasSize(TASKS);
    assertThat(scriptedWorld.begun(TASKS)).isEqualTo(TASKS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void tenMinuteOutageLosesNoWorkerAndRepeatsNothing(long seed) {
    var scriptedWorld = busyAndIdle(seed);

    scriptedWorld.world.gateway().stopAll();
    scriptedWorld.advance(ofMinutes(10));
    scriptedWorld.world.gateway().startAll();
    scriptedWorld.advance(ofMinutes(10));

    assertNothingHappened(scriptedWorld);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shortOutageLosesNoWorkerAsAgentsReturn(long seed) {
    var scriptedWorld = busyAndIdle(seed);

    scriptedWorld.world.gateway().stopAll();
    scriptedWorld.advance(ofSeconds(45));
    scriptedWorld.world.gateway().startAll();
    scriptedWorld.advance(ofMinutes(10));

    assertNothingHappened(scriptedWorld);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 20, 90, 400})
  void aBlipOfTheDatabaseRepeatsNothing(int seconds) {
    var scriptedWorld = busyAndIdle(seconds);

    for (var i = 0; i < 3; i++) {
      scriptedWorld.world.skies().ledger = false;
      scriptedWorld.advance(ofSeconds(seconds));
      scriptedWorld.world.skies().ledger = true;
      scriptedWorld.advance(ofSeconds(30));
    }
    scriptedWorld.advance(ofMinutes(5));

    assertNothingHappened(scriptedWorld);
  }

  /** Ticks go on meanwhile, and see running machines and silent agents. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void workersFunctionOutageLosesNoWorker(long seed) {
    var away = new AtomicBoolean();
    var scriptedWorld =
        ScriptedWorld.of(
            (ports, instance) -> new SplitControlPlane(ports, instance, away),
            seed,
            WORKERS,
            WORKERS,
            ScriptedWorld.job(0, TASKS, 2, Duration.ofHours(1), false));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == WORKERS && scriptedWorld.running().size() == TASKS,
        ofMinutes(15));
    scriptedWorld.advance(ofSeconds(20 + seed));

    away.set(true);
    scriptedWorld.advance(ofMinutes(5));
    away.set(false);
    scriptedWorld.advance(ofMinutes(10));

    assertNothingHappened(scriptedWorld);
  }

  @Test
  void workersFunctionOutageKillsNoSlice() {
    var away = new AtomicBoolean();
    var pool =
        new PoolSpec(
            "pod",
            "v4-32",
            Resources.cpu(4, 16 * ScriptedWorld.GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            2,
            2,
            ofMinutes(30),
            Duration.ofHours(24),
            MachineSpec.PLAIN);
    var job = ScriptedWorld.on("pod", 0, ScriptedWorld.job(0, 1, 1, Duration.ofHours(1), false));
    var scriptedWorld =
        ScriptedWorld.of(
            (ports, instance) -> new SplitControlPlane(ports, instance, away),
            5,
            List.of(pool),
            job);
    scriptedWorld.until(
        () -> scriptedWorld.ready() == 2 && scriptedWorld.running().size() == 4, ofMinutes(15));
    var before = scriptedWorld.running();
    scriptedWorld.advance(ofSeconds(25));

    away.set(true);
    scriptedWorld.advance(ofMinutes(5));
    away.set(false);
    scriptedWorld.advance(ofMinutes(10));

    assertThat(scriptedWorld.running()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(scriptedWorld.workers()).hasSize(2);
    assertThat(scriptedWorld.lost()).isZero();
  }

  /** The same world still detects a dead worker: its tasks run elsewhere soon afterwards. */
  @Test
  void workerThatDiedDuringOutageIsLostAfterwards() {
    var away = new AtomicBoolean();
    var scriptedWorld =
        ScriptedWorld.of(
            (ports, instance) -> new SplitControlPlane(ports, instance, away),
            9,
            WORKERS,
            WORKERS,
            ScriptedWorld.job(0, TASKS, 2, Duration.ofHours(1), false));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == WORKERS && scriptedWorld.running().size() == TASKS,
        ofMinutes(15));

    away.set(true);
    scriptedWorld.advance(ofMinutes(1));
    scriptedWorld.host(scriptedWorld.running().getFirst().worker()).freeze();
    scriptedWorld.advance(ofMinutes(4));
    assertThat(scriptedWorld.lost()).isZero();
    away.set(false);

    assertThat(scriptedWorld.until(() -> scriptedWorld.lost() == 1, ofMinutes(5)))
        .isLessThan(ofSeconds(90));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void tasksEndingDuringOutageAreNotRepeated(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(seed, 0, 2, ScriptedWorld.job(0, 8, 1, ofMinutes(3), false));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 8, ofMinutes(15));

    scriptedWorld.world.gateway().stopAll();
    scriptedWorld.advance(ofMinutes(8));
    assertThat(scriptedWorld.running()).isEmpty();
    scriptedWorld.world.gateway().startAll();

    scriptedWorld.until(scriptedWorld::ended, ofMinutes(3));
    assertThat(scriptedWorld.begun(8)).isEqualTo(8);
  }
}
