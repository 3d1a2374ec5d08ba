package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts that say nine of ten hold about so often, with and without preemptions. */
class StartCalibrationTest {
  private static final int WORLDS = 20;

  @ParameterizedTest
  @CsvSource({"false, 0.85", "true, 0.85"})
  void spreadsHoldAsOftenAsTheySay(boolean preempted, double least) {
    var known =
        StartCalibration.of(7_000, WORLDS, preempted).stream()
            .filter(it -> it.spread().isPresent())
            .toList();

    assertThat(known).hasSizeGreaterThan(2 * WORLDS);
    var hold = known.stream().filter(StartCalibration.Reading::holds).count();
    assertThat((double) hold / known.size()).isGreaterThan(least);
  }
}
