package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.check.Proc;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A function instance that stands still, with the calls that wait at it, is no fault of the workers
 * that wait.
 */
class StalledInstanceTest {
  private static final int WORKERS = 6;

  /** Six busy workers, and that many function instances. */
  private static Stage busy(long seed, int instances) {
    var stage =
        Stage.of(
            CorePlane::new,
            seed,
            instances,
            List.of(Stage.small(WORKERS, WORKERS)),
            Stage.job(0, WORKERS, 4, ofHours(1), true));
    stage.until(() -> stage.running().size() == WORKERS, ofMinutes(15));
    return stage.pass(ofSeconds(20 + seed));
  }

  private static void stallBusiest(Stage stage, Duration time) {
    var all = stage.world.gateway().instances();
    stage
        .world
        .gateway()
        .stall(all.stream().max(Comparator.comparingInt(Instance::calls)).get(), time);
  }

  @ParameterizedTest
  @CsvSource({"25, 3", "40, 3", "60, 3", "90, 3", "20, 2", "45, 2", "110, 2"})
  void stalledInstanceLosesNobodyAndRepeatsNothing(int seconds, int instances) {
    for (var seed = 0; seed < 20; seed++) {
      var stage = busy(seed, instances);

      stallBusiest(stage, ofSeconds(seconds));
      stage.pass(ofMinutes(5));

      assertThat(stage.lost()).as("seed %d", seed).isZero();
      assertThat(stage.begun(WORKERS)).as("seed %d", seed).isEqualTo(WORKERS);
    }
  }

  /** Nobody knows of an instance that stands still before its first document. */
  @ParameterizedTest
  @CsvSource({"20, 2", "40, 3", "60, 2"})
  void newInstanceThatStallsAfterAnOutageLosesNobody(int seconds, int instances) {
    for (var seed = 0; seed < 20; seed++) {
      var stage = busy(seed, instances);

      stage.world.gateway().goAway();
      stage.pass(ofMinutes(2));
      stage.world.gateway().comeBack();
      stage.world.gateway().stall(stage.world.gateway().instances().getFirst(), ofSeconds(seconds));
      stage.pass(ofMinutes(5));

      assertThat(stage.lost()).as("seed %d", seed).isZero();
      assertThat(stage.begun(WORKERS)).as("seed %d", seed).isEqualTo(WORKERS);
    }
  }

  /** In a long outage no instance can write that it is there. */
  @ParameterizedTest
  @ValueSource(ints = {200, 300, 400})
  void instanceThatStandsStillAtTheEndOfAnOutageLosesNobody(int seconds) {
    for (var seed = 0; seed < 20; seed++) {
      var stage = busy(seed, 2);

      stage.world.skies().ledger = false;
      stage.pass(ofSeconds(seconds));
      stallBusiest(stage, ofSeconds(60));
      stage.pass(ofSeconds(5));
      stage.world.skies().ledger = true;
      stage.pass(ofMinutes(5));

      assertThat(stage.lost()).as("seed %d", seed).isZero();
      assertThat(stage.begun(WORKERS)).as("seed %d", seed).isEqualTo(WORKERS);
    }
  }

  /** Nobody can tell whether it was their instance: they are waited for, but not for ever. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void workersThatDieWithTheirInstanceAreLostWithinTwoMinutes(long seed) {
    var stage = busy(seed, 3);
    var dead = stage.running().subList(0, 2).stream().map(Proc::worker).toList();

    dead.forEach(w -> stage.host(w).freeze());
    stage.world.gateway().killOne();

    assertThat(stage.until(() -> stage.lost() == 2, ofMinutes(4))).isLessThan(ofSeconds(120));
  }

  /** The cloud's word needs nobody's proof. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void machinesTakenWhileTheirInstanceStallsAreReplacedAtTheNextTick(long seed) {
    var stage = busy(seed, 3);
    stallBusiest(stage, ofSeconds(120));

    for (var p : stage.running().subList(0, 2))
      stage.world.fleet().halt(stage.host(p.worker()).machine());

    assertThat(stage.until(() -> stage.lost() == 2, ofMinutes(4))).isLessThan(ofSeconds(70));
  }
}
