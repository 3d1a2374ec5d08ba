package dev.mayfly.sim.failure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.TaskProcess;
import dev.mayfly.sim.world.FunctionInstance;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A stalled function instance with pending syncs is not held against the waiting workers. */
class StalledInstanceTest {
  private static final int WORKERS = 6;

  /** Six busy workers, and {@code instances} function instances. */
  private static ScriptedWorld busy(long seed, int instances) {
    var scriptedWorld =
        ScriptedWorld.of(
            CoreControlPlane::new,
            seed,
            instances,
            List.of(ScriptedWorld.small(WORKERS, WORKERS)),
            ScriptedWorld.job(0, WORKERS, 4, ofHours(1), true));
    scriptedWorld.until(() -> scriptedWorld.running().size() == WORKERS, ofMinutes(15));
    return scriptedWorld.advance(ofSeconds(20 + seed));
  }

  private static void stallBusiest(ScriptedWorld scriptedWorld, Duration time) {
    var all = scriptedWorld.world.gateway().instances();
    scriptedWorld
        .world
        .gateway()
        .stall(all.stream().max(Comparator.comparingInt(FunctionInstance::calls)).get(), time);
  }

  @ParameterizedTest
  @CsvSource({"25, 3", "40, 3", "60, 3", "90, 3", "20, 2", "45, 2", "110, 2"})
  void stalledInstanceLosesNoWorkerAndRepeatsNothing(int seconds, int instances) {
    for (var seed = 0; seed < 20; seed++) {
      var scriptedWorld = busy(seed, instances);

      stallBusiest(scriptedWorld, ofSeconds(seconds));
      scriptedWorld.advance(ofMinutes(5));

      assertThat(scriptedWorld.lost()).as("seed %d", seed).isZero();
      assertThat(scriptedWorld.begun(WORKERS)).as("seed %d", seed).isEqualTo(WORKERS);
    }
  }

  /** An instance that stalls before its first document is unknown to the others. */
  @ParameterizedTest
  @CsvSource({"20, 2", "40, 3", "60, 2"})
  void newInstanceStalledAfterOutageLosesNoWorker(int seconds, int instances) {
    for (var seed = 0; seed < 20; seed++) {
      var scriptedWorld = busy(seed, instances);

      scriptedWorld.world.gateway().stopAll();
      scriptedWorld.advance(ofMinutes(2));
      scriptedWorld.world.gateway().startAll();
      scriptedWorld
          .world
          .gateway()
          .stall(scriptedWorld.world.gateway().instances().getFirst(), ofSeconds(seconds));
      scriptedWorld.advance(ofMinutes(5));

      assertThat(scriptedWorld.lost()).as("seed %d", seed).isZero();
      assertThat(scriptedWorld.begun(WORKERS)).as("seed %d", seed).isEqualTo(WORKERS);
    }
  }

  /** In a long outage no instance can announce itself. */
  @ParameterizedTest
  @ValueSource(ints = {200, 300, 400})
  void instanceStalledAtOutageEndLosesNoWorker(int seconds) {
    for (var seed = 0; seed < 20; seed++) {
      var scriptedWorld = busy(seed, 2);

      scriptedWorld.world.skies().ledger = false;
      scriptedWorld.advance(ofSeconds(seconds));
      stallBusiest(scriptedWorld, ofSeconds(60));
      scriptedWorld.advance(ofSeconds(5));
      scriptedWorld.world.skies().ledger = true;
      scriptedWorld.advance(ofMinutes(5));

      assertThat(scriptedWorld.lost()).as("seed %d", seed).isZero();
      assertThat(scriptedWorld.begun(WORKERS)).as("seed %d", seed).isEqualTo(WORKERS);
    }
  }

  /** An instance that began in the outage has read nothing, and knows of it all the same. */
  @ParameterizedTest
  @ValueSource(ints = {200, 300})
  void instanceBornInOutageLosesNoWorkerAfterIt(int seconds) {
    for (var seed = 0; seed < 20; seed++) {
      var scriptedWorld = busy(seed, 2);

      scriptedWorld.world.skies().ledger = false;
      scriptedWorld.world.gateway().killOne();
      scriptedWorld.advance(ofSeconds(seconds));
      scriptedWorld
          .world
          .gateway()
          .stall(scriptedWorld.world.gateway().instances().getFirst(), ofSeconds(60));
      scriptedWorld.advance(ofSeconds(5));
      scriptedWorld.world.skies().ledger = true;
      scriptedWorld.advance(ofMinutes(5));

      assertThat(scriptedWorld.lost()).as("seed %d", seed).isZero();
    }
  }

  /** The stalled instance may have held their syncs: they get more time, but not for ever. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void workersDyingWithInstanceAreLostSoon(long seed) {
    var scriptedWorld = busy(seed, 3);
    var dead = scriptedWorld.running().subList(0, 2).stream().map(TaskProcess::worker).toList();

    dead.forEach(w -> scriptedWorld.host(w).freeze());
    scriptedWorld.world.gateway().killOne();

    assertThat(scriptedWorld.until(() -> scriptedWorld.lost() == 2, ofMinutes(4)))
        .isLessThan(ofSeconds(120));
  }

  /**
   * A loss reported by the cloud needs no proof of served syncs. A tick that the stalled instance
   * got comes again to another one after a minute.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void machinesTakenDuringStallAreReplacedAtTick(long seed) {
    var scriptedWorld = busy(seed, 3);
    stallBusiest(scriptedWorld, ofSeconds(300));

    for (var p : scriptedWorld.running().subList(0, 2))
      scriptedWorld.world.fleet().halt(scriptedWorld.host(p.worker()).machine());

    assertThat(scriptedWorld.until(() -> scriptedWorld.lost() == 2, ofMinutes(4)))
        .isLessThan(ofSeconds(130));
  }
}
