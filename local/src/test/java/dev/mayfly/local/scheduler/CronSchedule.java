package dev.mayfly.local.scheduler;

import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A schedule in unix-cron's five fields: minute, hour, day of the month, month, day of the week;
 * each {@code *}, a number, a range, a list, or one of these with a step.
 */
final class CronSchedule {
  private record Field(String name, int from, int to) {}

  private static final List<Field> FIELDS =
      List.of(
          new Field("minute", 0, 59),
          new Field("hour", 0, 23),
          new Field("day of month", 1, 31),
          new Field("month", 1, 12),
          new Field("day of week", 0, 7));

  private final List<BitSet> allowed;
  private final boolean everyDay;
  private final boolean everyWeekday;

  private CronSchedule(List<BitSet> allowed, boolean everyDay, boolean everyWeekday) {
    this.allowed = allowed;
    this.everyDay = everyDay;
    this.everyWeekday = everyWeekday;
  }

  /**
   * @throws IllegalArgumentException that names the invalid field
   */
  static CronSchedule of(String text) {
    var parts = text.strip().split(" +");
    if (parts.length != FIELDS.size()) {
      throw new IllegalArgumentException(
          "Schedule '" + text + "' has " + parts.length + " fields; it must have five");
    }
    var allowed =
        IntStream.range(0, parts.length).mapToObj(i -> field(FIELDS.get(i), parts[i])).toList();
    return new CronSchedule(allowed, parts[2].equals("*"), parts[4].equals("*"));
  }

  boolean matches(LocalDateTime time) {
    var day = allowed.get(2).get(time.getDayOfMonth());
    var number = time.getDayOfWeek().getValue();
    var weekday = allowed.get(4).get(number) || (number == 7 && allowed.get(4).get(0));
    return allowed.get(0).get(time.getMinute())
        && allowed.get(1).get(time.getHour())
        && allowed.get(3).get(time.getMonthValue())
        // If both are restricted, a match of either suffices.
        && ((everyDay || everyWeekday) ? (day && weekday) : (day || weekday));
  }

  private static BitSet field(Field field, String text) {
    var set = new BitSet();
    for (var part : text.split(",", -1)) {
      var steps = part.split("/", -1);
      var range = steps[0].equals("*") ? field.from() + "-" + field.to() : steps[0];
      var ends = range.split("-", -1);
      var step = steps.length == 2 ? number(field, text, steps[1]) : 1;
      var from = number(field, text, ends[0]);
      var open = ends.length == 1 && steps.length == 2;
      var to = open ? field.to() : number(field, text, ends[ends.length - 1]);
      if (steps.length > 2
          || ends.length > 2
          || step == 0
          || from < field.from()
          || to > field.to()) throw unreadable(field, text);
      for (int i = from; i <= to; i += step) set.set(i);
    }
    if (set.isEmpty()) throw unreadable(field, text);
    return set;
  }

  private static int number(Field field, String text, String part) {
    if (part.matches("[0-9]{1,2}")) return Integer.parseInt(part);
    throw unreadable(field, text);
  }

  private static IllegalArgumentException unreadable(Field field, String text) {
    return new IllegalArgumentException(
        "Schedule: %s '%s' must be numbers from %d to %d, such as */5 or 1-3,7"
            .formatted(field.name(), text, field.from(), field.to()));
  }
}
