package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.query.estimate.StoppingLimits.Expected;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoppingLimitsTest {
  private static final Expected TWO_TO_FOUR_DOLLARS_AND_HOURS =
      new Expected(Optional.of(2.0), Optional.of(4.0), Optional.of(7_200.0), Optional.of(14_400.0));

  private static StoppingLimits costs(double maxUsd, double spent) {
    return new StoppingLimits(
        Optional.of(maxUsd), spent, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static StoppingLimits ends(Duration left) {
    return new StoppingLimits(
        Optional.empty(), 0, Optional.empty(), Optional.of(left), Optional.empty());
  }

  private static String around(StoppingLimits limits) {
    return limits.around("EST", TWO_TO_FOUR_DOLLARS_AND_HOURS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.5 | 0 | its maxUsd of $1.50 stops it before its end: EST",
        "3   | 0 | its maxUsd of $3.00 may stop it before its end: EST",
        "5   | 2 | its maxUsd of $5.00 ($2.00 is spent) may stop it before its end: EST",
        "5   | 4 | its maxUsd of $5.00 ($4.00 is spent) stops it before its end: EST",
        "9   | 0 | EST; it is stopped when its tasks cost $9.00 (maxUsd)",
        "9   | 1 | 'EST; it is stopped when its tasks cost $9.00 (maxUsd, $1.00 is spent)'"
      })
  void costThatPassesItsLimitComesFirst(double maxUsd, double spent, String words) {
    assertThat(around(costs(maxUsd, spent))).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PT1H  | 'it ends after its deadline in 1h, which stops nothing: EST'",
        "PT3H  | 'it may end after its deadline in 3h, which stops nothing: EST'",
        "PT5H  | EST; its deadline is in 5h",
        "PT-1H | 'it ends after its deadline, which stops nothing: EST'"
      })
  void endAfterTheDeadlineComesFirst(Duration left, String words) {
    assertThat(around(ends(left))).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PT1H | true  | LIMIT (60m is left) stops it before its end: EST",
        "PT3H | true  | LIMIT (3h is left) may stop it before its end: EST",
        "PT1H | false | LIMIT stops it before its end: EST",
        "PT5H | true  | EST; it is stopped in 5h at the latest (LIMIT)",
        "PT5H | false | EST; it is stopped 5h after the start of its first task (LIMIT)"
      })
  void endAfterItsRunTimeComesFirst(Duration left, boolean begun, String words) {
    var run = Optional.of(new StoppingLimits.RunLeft("LIMIT", left, begun));
    var limits = new StoppingLimits(Optional.empty(), 0, Optional.empty(), Optional.empty(), run);

    assertThat(around(limits)).isEqualTo(words.replace("60m", "1h"));
  }

  @Test
  void limitsOfAnUnknownEstimateAreSaid() {
    var limits =
        new StoppingLimits(
            Optional.of(5.0),
            0,
            Optional.of(Duration.ofMinutes(10)),
            Optional.empty(),
            Optional.empty());

    assertThat(limits.around("unknown: no", Expected.NOTHING))
        .isEqualTo(
            "unknown: no; it is stopped when its tasks cost $5.00 (maxUsd); it is stopped if no"
                + " task starts within 10m (queueTimeout)");
  }
}
