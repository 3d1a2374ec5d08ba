package dev.mayfly.wire.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.wire.UserDocuments;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are submitted again and again, as users write them. */
class ScheduleDocumentsTest {
  private static UserCommand parse(String text) {
    return UserDocuments.parse(text.getBytes(StandardCharsets.UTF_8), "", Map.of())
        .getFirst()
        .command();
  }

  private static UserCommand.SubmitJob job(String name, String schedule, String more) {
    return (UserCommand.SubmitJob)
        parse(
            """
            apiVersion: mayfly.dev/v1
            kind: Job
            name: %s
            cluster: lab
            schedule: %s
            tasks: {count: 1}
            command: [work]
            %s
            """
                .formatted(name, schedule, more));
  }

  private static ScheduleRule rule(String schedule) {
    return job("nightly", schedule, "").schedule().orElseThrow();
  }

  @Test
  void timesAreRead() {
    assertThat(rule("{every: 6h}")).isEqualTo(ScheduleRule.every(Duration.ofHours(6)));
    assertThat(rule("{at: 02:30, timeZone: Europe/Berlin}"))
        .isEqualTo(ScheduleRule.at("02:30", "Europe/Berlin"));
    assertThat(rule("{at: \"02:30\", timeZone: UTC, on: [wed, mon], ifRunning: queue}"))
        .isEqualTo(
            ScheduleRule.at("02:30", "UTC").on(DayOfWeek.MONDAY, DayOfWeek.WEDNESDAY).queued());
  }

  @Test
  void jobWithoutOneIsSubmittedOnce() {
    var once =
        parse(
            """
            {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "j", "cluster": "lab",
             "tasks": {"count": 1}, "command": ["work"]}
            """);

    assertThat(((UserCommand.SubmitJob) once).schedule()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | schedule: says not when; write every: 6h, or at: \"02:30\"",
        "{every: 6h, at: '02:30'} | schedule: has every and at; leave one of both out",
        "{every: 1m} | schedule.every: 1m is too short; write 5m or more",
        "{every: 400d} | schedule.every: 400d is too long; write 366d or less",
        "{every: 5m30s} | schedule.every: is not in whole minutes",
        "{every: 6h, on: [mon]} | schedule.on: is for at; leave it out, or write at for every",
        "{at: '24:30'} | schedule.at: '24:30' does not fit: a time of day, from 00:00 to 23:59",
        "{at: '02:30', timeZone: Berlin} | 'Berlin' is no time zone; write Europe/Berlin",
        "{at: '02:30', timeZone: Europe/Berlim} | 'Europe/Berlim' is no time zone; write Europe/Berlin",
        "{at: '02:30', timeZone: Nowhere} | 'Nowhere' is no time zone; write one like Europe/Berlin",
        "{at: '02:30', on: [monday]} | schedule.on[0]: 'monday' is none of mon, tue, wed",
        "{at: '02:30', ifRunning: stop} | schedule.ifRunning: 'stop' is none of skip, queue",
      })
  void mistakesAreNamedWithTheirRemedy(String schedule, String problem) {
    assertThatThrownBy(() -> rule(schedule)).hasMessageContaining(problem);
  }

  @Test
  void nameLeavesRoomForTheTime() {
    assertThat(job("a".repeat(28), "{every: 6h}", "").schedule()).isPresent();
    assertThatThrownBy(() -> job("a".repeat(29), "{every: 6h}", ""))
        .hasMessageContaining("name: has more than 28 characters, and the names of its jobs end");
  }

  @Test
  void jobThatComesAfterOthersIsRefused() {
    assertThatThrownBy(() -> job("nightly", "{every: 6h}", "after: [extract]"))
        .hasMessageContaining("schedule: is not for jobs that come after others");
  }

  @ParameterizedTest
  @EnumSource
  void changesAreRead(UserCommand.ChangeSchedule.Action action) {
    assertThat(
            parse(
                """
                apiVersion: mayfly.dev/v1
                kind: ChangeSchedule
                cluster: lab
                schedule: ann/nightly
                action: %s
                """
                    .formatted(action.word())))
        .isEqualTo(new UserCommand.ChangeSchedule("lab", "ann/nightly", action));
  }
}
