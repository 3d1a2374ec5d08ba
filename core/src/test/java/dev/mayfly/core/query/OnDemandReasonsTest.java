package dev.mayfly.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.OnDemandRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnDemandReasonsTest {
  private static final Instant SUBMITTED = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "PT0S,    'its deadline is in 2h: on-demand in 1h, for what is open then'",
    "PT30M,   'its deadline is in 1h30m: on-demand in 30m, for what is open then'",
    "PT1H,    'its deadline is in 1h: on-demand now'",
    "PT2H30M, 'its deadline passed 30m ago: on-demand now'",
  })
  void deadlineSaysFromWhenOn(Duration age, String text) {
    var twoHours = Duration.ofHours(2);
    var wish = new OnDemandRules(0, Optional.of(twoHours), OnDemandRules.usuallyBefore(twoHours));
    var from = wish.urgentFrom(SUBMITTED).orElseThrow();

    assertThat(OnDemandReasons.deadline(from, SUBMITTED.plus(twoHours), SUBMITTED.plus(age)))
        .isEqualTo(text);
  }
}
