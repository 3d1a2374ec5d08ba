package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dseed=7} runs one storm alone. */
class GangSimulationTest {
  private static final long SEEDS = 300;

  @Test
  void allHostsRunOrNoneUnderFaults() {
    var restarts = 0;
    var only = Long.getLong("seed", -1);
    for (var seed = only < 0 ? 0 : only; seed < (only < 0 ? SEEDS : only + 1); seed++) {
      var gangSimulation = new GangSimulation(seed, GangMutant.NONE);
      try {
        gangSimulation.run();
      } catch (AssertionError | IllegalStateException found) {
        throw new AssertionError("seed " + seed + ": " + found.getMessage(), found);
      }
      restarts += gangSimulation.restarts;
    }
    if (only < 0) assertThat(restarts).as("the storm is worth its name").isGreaterThan(300);
  }

  @ParameterizedTest
  @EnumSource(
      value = GangMutant.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE"})
  void aPlantedBugIsFoundAmongTheSameSeeds(GangMutant bug) {
    for (var seed = 0; seed < SEEDS; seed++) {
      var gangSimulation = new GangSimulation(seed, bug);
      try {
        gangSimulation.run();
      } catch (AssertionError found) {
        assertThatThrownBy(
                () -> {
                  throw found;
                })
            .hasMessageStartingWith("I1");
        return;
      }
    }
    fail(bug + " was not found by " + SEEDS + " seeds");
  }
}
