package dev.mayfly.core.model;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingsTest {
  /** Each row breaks one order of the defaults. */
  @ParameterizedTest
  @CsvSource({
    "17, 12, 120, 4, 15, 600, 0.05, syncInterval",
    "0, 12, 120, 4, 15, 600, 0.05, syncInterval",
    "10, 12, 120, 6, 15, 600, 0.05, livenessInterval",
    "10, 12, 120, 0, 15, 600, 0.05, livenessInterval",
    "10, 12, 120, 4, 4, 600, 0.05, livenessInterval",
    "10, 12, 12, 4, 15, 600, 0.05, lostAfter",
    "10, 12, 120, 4, 15, 120, 0.05, lostRegardless",
    "10, 12, 120, 4, 15, 600, 0, checkpointShare",
    "10, 12, 120, 4, 15, 600, 1, checkpointShare"
  })
  void contradictoryTimesAreRefused(
      long sync,
      long lostAfter,
      long lostRegardless,
      long liveness,
      long gap,
      long kept,
      double share,
      String name) {
    assertThatThrownBy(() -> timings(sync, lostAfter, lostRegardless, liveness, gap, kept, share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + " is ");
  }

  @Test
  void theDefaultOrdersAreAccepted() {
    assertThatCode(() -> timings(10, 12, 120, 4, 15, 600, 0.05)).doesNotThrowAnyException();
  }

  private static Timings timings(
      long sync,
      long lostAfter,
      long lostRegardless,
      long liveness,
      long gap,
      long kept,
      double share) {
    return new Timings(
        ofSeconds(sync),
        ofSeconds(25),
        ofSeconds(5),
        ofSeconds(lostAfter),
        ofSeconds(lostRegardless),
        ofSeconds(120),
        ofMinutes(3),
        ofSeconds(60),
        ofSeconds(liveness),
        ofSeconds(gap),
        ofSeconds(kept),
        ofMinutes(10),
        ofMinutes(5),
        ofSeconds(30),
        ofSeconds(60),
        ofSeconds(40),
        ofMinutes(10),
        ofMinutes(10),
        share,
        ofSeconds(5),
        ofSeconds(120),
        ofSeconds(10),
        ofSeconds(20),
        ofSeconds(2),
        Duration.ofHours(24));
  }
}
