package dev.mayfly.core.plan.schedule;

import dev.mayfly.core.model.schedule.ScheduleRule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * When a schedule is due.
 *
 * <p><b>Must:</b> give each time once. A time of day that a day lacks, because clocks are put
 * forward, is the first instant after the gap; of one that comes twice it is the first.
 */
public final class ScheduleTimes {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmm", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** A week has each day once, and its first may be over. */
  private static final int DAYS = 8;

  private ScheduleTimes() {}

  /**
   * What is due.
   *
   * @param at the newest time
   * @param missed how many times before it came to nothing
   * @param next the first time after now
   */
  public record Due(Instant at, long missed, Instant next) {}

  /** The first time after {@code then}. */
  public static Instant after(ScheduleRule rule, Instant then) {
    return rule.time()
        .map(time -> after(rule, time, then))
        .orElseGet(() -> {
          var period = seconds(rule);
          return Instant.ofEpochSecond((Math.floorDiv(then.getEpochSecond(), period) + 1) * period);
        });
  }

  private static long seconds(ScheduleRule rule) {
    return rule.every().map(Duration::toSeconds).orElseThrow();
  }

  private static Instant after(ScheduleRule rule, LocalTime time, Instant then) {
    // What the day before lacked may be of today.
    var first = LocalDate.ofInstant(then, rule.zone()).minusDays(1);
    return first
        .datesUntil(first.plusDays(DAYS + 2))
        .filter(day -> rule.on().isEmpty() || rule.on().contains(day.getDayOfWeek()))
        .map(day -> instant(day, time, rule.zone()))
        .filter(at -> at.isAfter(then))
        .findFirst()
        .orElseThrow();
  }

  private static Instant instant(LocalDate day, LocalTime time, ZoneId zone) {
    var local = day.atTime(time);
    var transition = zone.getRules().getTransition(local);
    return transition != null && transition.isGap()
        ? transition.getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }

  /**
   * What is due now.
   *
   * @param first the first time that nothing came of yet; not after {@code now}
   */
  public static Due newest(ScheduleRule rule, Instant first, Instant now) {
    if (rule.at().isEmpty()) return newestOfPeriod(rule, first, now);
    var at = first;
    var missed = 0L;
    for (var next = after(rule, at); !next.isAfter(now); next = after(rule, at)) {
      at = next;
      missed++;
    }
    return new Due(at, missed, after(rule, now));
  }

  /** Counted, because there may be many after a long time without ticks. */
  private static Due newestOfPeriod(ScheduleRule rule, Instant first, Instant now) {
    var period = seconds(rule);
    var newest = Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), period) * period);
    var at = newest.isBefore(first) ? first : newest;
    var missed = Duration.between(first, at).toSeconds() / period;
    return new Due(at, missed, after(rule, now));
  }

  /**
   * The name of the job that is due then: {@code nightly-20260131-0130}. The time is in UTC, so
   * that no two are equal.
   */
  public static String jobName(String schedule, Instant due) {
    return schedule + "-" + NAME.format(due);
  }

  /** How much longer a job's name is than its schedule's. */
  public static final int SUFFIX = "-20260131-0130".length();
}
