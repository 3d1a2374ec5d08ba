package dev.mayfly.core.plan.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.schedule.ScheduleRule;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When schedules are due. */
class ScheduleTimesTest {
  private static final ScheduleRule NIGHTLY = ScheduleRule.at("02:30", "Europe/Berlin");

  private static Instant at(String time) {
    return Instant.parse(time);
  }

  @ParameterizedTest
  @CsvSource({
    "PT6H, 2026-01-31T10:00:00Z, 2026-01-31T12:00:00Z",
    "PT6H, 2026-01-31T12:00:00Z, 2026-01-31T18:00:00Z",
    "PT6H, 2026-01-31T23:59:59Z, 2026-02-01T00:00:00Z",
    "PT5M, 2026-01-31T10:01:00Z, 2026-01-31T10:05:00Z",
    "PT24H, 2026-03-29T00:30:00Z, 2026-03-30T00:00:00Z",
    "PT168H, 2026-01-31T10:00:00Z, 2026-02-05T00:00:00Z",
  })
  void periodIsCountedFromTheSameTimeAlways(Duration every, String then, String next) {
    var rule = ScheduleRule.every(every);

    assertThat(ScheduleTimes.after(rule, at(then))).isEqualTo(at(next));
  }

  @ParameterizedTest
  @CsvSource({
    "winter, 2026-01-31T00:00:00Z, 2026-01-31T01:30:00Z",
    "summer, 2026-07-31T00:00:00Z, 2026-07-31T00:30:00Z",
    "not twice, 2026-07-31T00:30:00Z, 2026-08-01T00:30:00Z",
    "a moment before, 2026-07-31T00:29:59.999Z, 2026-07-31T00:30:00Z",
    "an hour that is left out, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
    "the day after, 2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
    "an hour that comes twice, 2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z",
    "its second time, 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
  })
  void timeOfDayFollowsTheClocks(String what, String then, String next) {
    assertThat(ScheduleTimes.after(NIGHTLY, at(then))).as(what).isEqualTo(at(next));
  }

  /** Samoa had no 30 December 2011, and Nepal's clocks differ by a quarter of an hour. */
  @ParameterizedTest
  @CsvSource({
    "Pacific/Apia, 2011-12-30T00:00:00Z, 2011-12-30T10:00:00Z",
    "Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T12:30:00Z",
    "Asia/Kathmandu, 2026-01-31T00:00:00Z, 2026-01-31T20:45:00Z",
    "UTC, 2026-01-31T02:30:00Z, 2026-02-01T02:30:00Z",
  })
  void everyZoneHasItsTimes(String zone, String then, String next) {
    assertThat(ScheduleTimes.after(ScheduleRule.at("02:30", zone), at(then))).isEqualTo(at(next));
  }

  @Test
  void daysAreThoseOfTheZone() {
    // In Auckland Monday begins at 11:00 UTC on Sunday.
    var rule = ScheduleRule.at("00:15", "Pacific/Auckland").on(DayOfWeek.MONDAY);

    var next = ScheduleTimes.after(rule, at("2026-01-31T10:00:00Z"));
    assertThat(next).isEqualTo(at("2026-02-01T11:15:00Z"));
    assertThat(ScheduleTimes.after(rule, next)).isEqualTo(at("2026-02-08T11:15:00Z"));
  }

  @Test
  void dayOfTheWeekIsFoundFromAnyOther() {
    var rule = ScheduleRule.at("02:30", "UTC").on(DayOfWeek.SATURDAY);

    for (var hour = 0; hour < 7 * 24; hour++) {
      var then = at("2026-01-31T02:30:00Z").plus(Duration.ofHours(hour));
      assertThat(ScheduleTimes.after(rule, then)).isEqualTo(at("2026-02-07T02:30:00Z"));
    }
  }

  @Test
  void missedTimesAreCounted() {
    var rule = ScheduleRule.every(Duration.ofHours(6));

    assertThat(ScheduleTimes.newest(rule, at("2026-01-31T06:00:00Z"), at("2026-02-01T07:00:00Z")))
        .isEqualTo(
            new ScheduleTimes.Due(at("2026-02-01T06:00:00Z"), 4, at("2026-02-01T12:00:00Z")));
    assertThat(
            ScheduleTimes.newest(NIGHTLY, at("2026-10-24T00:30:00Z"), at("2026-10-27T00:00:00Z")))
        .isEqualTo(
            new ScheduleTimes.Due(at("2026-10-26T01:30:00Z"), 2, at("2026-10-27T01:30:00Z")));
  }

  @Test
  void nothingIsMissedAtItsTime() {
    var first = at("2026-01-31T06:00:00Z");
    var rule = ScheduleRule.every(Duration.ofHours(6));

    assertThat(ScheduleTimes.newest(rule, first, first))
        .isEqualTo(new ScheduleTimes.Due(first, 0, at("2026-01-31T12:00:00Z")));
  }

  @Test
  void jobIsNamedByItsTimeInUtc() {
    assertThat(ScheduleTimes.jobName("nightly", at("2026-10-25T00:30:00Z")))
        .isEqualTo("nightly-20261025-0030")
        .hasSize("nightly".length() + ScheduleTimes.SUFFIX);
  }

  @Test
  void wordsSayWhen() {
    assertThat(ScheduleText.of(ScheduleRule.every(Duration.ofMinutes(90))))
        .isEqualTo("every 1h30m");
    assertThat(ScheduleText.of(NIGHTLY)).isEqualTo("each day at 02:30 Europe/Berlin");
    assertThat(ScheduleText.of(NIGHTLY.on(DayOfWeek.WEDNESDAY, DayOfWeek.MONDAY)))
        .isEqualTo("mon, wed at 02:30 Europe/Berlin");
  }
}
