package dev.mayfly.core.model.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * When a schedule submits its job: each so often, or at a time of day. Exactly one of {@code every}
 * and {@code at} is there.
 *
 * @param every the time from one to the next, counted from midnight of 1 January 1970 in UTC, so
 *     that a schedule that is stored again keeps its times
 * @param at a time of day like {@code 02:30}
 * @param on the days of {@code at}, in the order of the week; empty for each day
 * @param timeZone of {@code at}, like {@code Europe/Berlin}; UTC if absent
 * @param ifRunning what becomes of a time while the schedule's job before has not ended
 */
public record ScheduleRule(
    Optional<Duration> every,
    Optional<String> at,
    List<DayOfWeek> on,
    Optional<String> timeZone,
    IfRunning ifRunning) {
  /** Ticks come each minute, and each run leaves a job that people look at. */
  public static final Duration LEAST = Duration.ofMinutes(5);

  public static final Duration MOST = Duration.ofDays(366);

  /** What becomes of a time while the job before has not ended. */
  public enum IfRunning {
    /** No job is submitted, and that is said. */
    SKIP,
    /** A job is submitted that starts when the one before has ended. */
    QUEUE
  }

  public ScheduleRule {
    on = on.stream().distinct().sorted().toList();
    if (every.isPresent() == at.isPresent())
      throw new IllegalArgumentException("a schedule has one of every and at");
  }

  /** One that runs each so often. */
  public static ScheduleRule every(Duration period) {
    return new ScheduleRule(
        Optional.of(period), Optional.empty(), List.of(), Optional.empty(), IfRunning.SKIP);
  }

  /** One that runs each day at that time. */
  public static ScheduleRule at(String time, String zone) {
    return new ScheduleRule(
        Optional.empty(), Optional.of(time), List.of(), Optional.of(zone), IfRunning.SKIP);
  }

  /** The same on those days only. */
  public ScheduleRule on(DayOfWeek... days) {
    return new ScheduleRule(every, at, List.of(days), timeZone, ifRunning);
  }

  /** The same with jobs that come one after the other. */
  public ScheduleRule queued() {
    return new ScheduleRule(every, at, on, timeZone, IfRunning.QUEUE);
  }

  /** The time of day of a rule that has one. */
  public Optional<LocalTime> time() {
    return at.map(LocalTime::parse);
  }

  /** The time zone that {@code at} is meant in. */
  public ZoneId zone() {
    return timeZone.map(ZoneId::of).orElse(ZoneOffset.UTC);
  }
}
