package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Estimates that say nine of ten hold about so often, with and without preemptions. */
class EstimateCalibrationTest {
  private static final int WORLDS = 30;

  @ParameterizedTest
  @CsvSource({"false, 0.88", "true, 0.84"})
  void spreadsHoldAsOftenAsTheySay(boolean preempted, double least) {
    var readings = EstimateCalibration.of(5_000, WORLDS, preempted);

    assertThat(readings).hasSizeGreaterThan(4 * WORLDS);
    var hold = readings.stream().filter(EstimateCalibration.Reading::holds).count();
    assertThat((double) hold / readings.size()).isBetween(least, 0.98);
  }
}
