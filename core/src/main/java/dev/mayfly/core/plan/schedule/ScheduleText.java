package dev.mayfly.core.plan.schedule;

import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.text.HumanDuration;
import java.time.DayOfWeek;
import java.util.Locale;
import java.util.stream.Collectors;

/** The words for when a schedule is due. */
public final class ScheduleText {
  private ScheduleText() {}

  /** {@code every 6h}, or {@code mon, wed at 02:30 Europe/Berlin}. */
  public static String of(ScheduleRule rule) {
    return rule.every()
        .map(period -> "every " + HumanDuration.exact(period))
        .orElseGet(() ->
            "%s at %s %s"
                .formatted(days(rule), rule.at().orElseThrow(), rule.timeZone().orElse("UTC")));
  }

  private static String days(ScheduleRule rule) {
    return rule.on().isEmpty()
        ? "each day"
        : rule.on().stream().map(ScheduleText::word).collect(Collectors.joining(", "));
  }

  /** As users write it: {@code mon}. */
  public static String word(DayOfWeek day) {
    return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
  }
}
