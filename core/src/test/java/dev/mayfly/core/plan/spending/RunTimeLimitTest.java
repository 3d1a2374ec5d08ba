package dev.mayfly.core.plan.spending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTimeLimitTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.250Z");

  private static RunTimeLimit limit(Duration max) {
    return new RunTimeLimit("ann/train", max, Optional.empty(), Optional.of(START));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, false, false",
    "PT7H59M, false, false",
    "PT8H, true, false",
    "PT9H59M, true, false",
    "PT10H, true, true",
    "PT99H, true, true"
  })
  void peopleAreToldAtFourFifths(Duration ran, boolean near, boolean reached) {
    var limit = limit(Duration.ofHours(10));

    assertThat(limit.isNear(START.plus(ran))).isEqualTo(near);
    assertThat(limit.isReached(START.plus(ran))).isEqualTo(reached);
  }

  @Test
  void jobWithoutTasksHasItsWholeTime() {
    var limit = new RunTimeLimit("train", Duration.ofHours(1), Optional.empty(), Optional.empty());

    assertThat(limit.isReached(Instant.MAX)).isFalse();
    assertThat(limit.isNear(Instant.MAX)).isFalse();
    assertThat(limit.left(START)).isEqualTo(Duration.ofHours(1));
    assertThat(limit.untilText()).isEmpty();
  }

  @Test
  void wordsSaySinceWhenAndWhatGoesOn() {
    assertThat(limit(Duration.ofHours(12)).whyStopped())
        .isEqualTo(
            "its maxRunTime of 12h is over: its first task started at 2026-01-01T00:00:00Z; what is"
                + " done stays done, and a retry gives the others as long again: mayfly retry"
                + " ann/train; to give them longer: mayfly retry ann/train --max-run-time 24h");
    assertThat(limit(Duration.ofHours(12)).whyTold(START.plus(Duration.ofHours(10))))
        .isEqualTo(
            "its maxRunTime of 12h ends in 2h, at 2026-01-01T12:00:00Z: its first task started at"
                + " 2026-01-01T00:00:00Z; then it is stopped; to let it go on: mayfly retry"
                + " ann/train --max-run-time 24h");
  }

  @Test
  void noCommandNamesMoreThanCanBeWritten() {
    assertThat(limit(Duration.ofDays(300)).whyStopped()).endsWith("--max-run-time 365d");
  }
}
