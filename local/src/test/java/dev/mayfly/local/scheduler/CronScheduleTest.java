package dev.mayfly.local.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          * * * * *; 2026-11-21T14:41; true
          0 * * * *; 2026-11-21T14:41; false
          0 * * * *; 2026-11-21T15:00; true
          */15 * * * *; 2026-11-21T14:45; true
          */15 * * * *; 2026-11-21T14:46; false
          5,10-12 14 * * *; 2026-11-21T14:11; true
          5,10-12 14 * * *; 2026-11-21T15:11; false
          0 0 * * 0; 2026-11-22T00:00; true
          0 0 * * 7; 2026-11-22T00:00; true
          0 0 * * 1; 2026-11-22T00:00; false
          0 0 1 * 0; 2026-11-01T00:00; true
          0 0 3 * 0; 2026-11-22T00:00; true
          0 0 1 1 *; 2026-11-01T00:00; false
          """)
  void aScheduleMatchesItsMinutes(String text, LocalDateTime time, boolean due) {
    assertThat(CronSchedule.of(text).matches(time)).isEqualTo(due);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"* * * *", "60 * * * *", "x * * * *", "*/0 * * * *", "3-1 * * * *", "1,, * * * *"})
  void aScheduleThatCannotBeReadSaysWhy(String text) {
    assertThatThrownBy(() -> CronSchedule.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must");
  }
}
