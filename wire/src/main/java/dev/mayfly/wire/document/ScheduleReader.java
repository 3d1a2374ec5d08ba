package dev.mayfly.wire.document;

import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.plan.schedule.ScheduleText;
import dev.mayfly.core.plan.schedule.ScheduleTimes;
import dev.mayfly.core.text.SpellingSuggestion;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads when a job is submitted again and again. */
record ScheduleReader(FieldReader job) {
  private static final String FIELD = "schedule";

  /** The longest name of a job is 42 characters. */
  private static final int LONGEST_NAME = 42 - ScheduleTimes.SUFFIX;

  /** Empty after a problem: the document is refused. */
  Optional<ScheduleRule> rule(TaskSource source) {
    var fields = job.child(FIELD);
    checkJob(source);
    var every = every(fields);
    var at = fields.text("at");
    if (every.isPresent() == at.isPresent()) {
      job.addProblem(
          FIELD,
          at.isPresent()
              ? "has every and at; leave one of both out"
              : "says not when; write every: 6h, or at: \"02:30\"");
      return Optional.empty();
    }
    if (at.isEmpty())
      Stream.of("on", "timeZone")
          .filter(field -> fields.mapping().get(field).isPresent())
          .forEach(
              field -> fields.addProblem(field, "is for at; leave it out, or write at for every"));
    var zone = fields.read("timeZone", ScheduleReader::zone);
    return Optional.of(new ScheduleRule(every, at, days(fields), zone, ifRunning(fields)));
  }

  private void checkJob(TaskSource source) {
    if (job.name("name").length() > LONGEST_NAME)
      job.addProblem(
          "name",
          "has more than %d characters, and the names of its jobs end in their time, as in -20260131-0230; write a shorter one"
              .formatted(LONGEST_NAME));
    if (job.mapping().get("after").isPresent() || source.predecessor().isPresent())
      job.addProblem(
          FIELD,
          "is not for jobs that come after others, which start when these have ended; leave one of both out");
  }

  private static Optional<Duration> every(FieldReader fields) {
    if (fields.mapping().get("every").isEmpty()) return Optional.empty();
    var period =
        fields.duration("every", ScheduleRule.LEAST, ScheduleRule.LEAST, ScheduleRule.MOST);
    if (period.toSecondsPart() == 0 && period.toNanosPart() == 0) return Optional.of(period);
    fields.addProblem("every", "is not in whole minutes, and ticks come each minute; round it");
    return Optional.of(ScheduleRule.LEAST);
  }

  private static List<DayOfWeek> days(FieldReader fields) {
    var words = fields.texts("on");
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> words.contains(ScheduleText.word(day)))
        .toList();
  }

  private static String zone(String text) {
    var known = ZoneId.getAvailableZoneIds();
    if (known.contains(text)) return text;
    throw new IllegalArgumentException(
        "'%s' is no time zone; write %s"
            .formatted(text, near(text, known).orElse("one like Europe/Berlin")));
  }

  /** A city alone means its zone. */
  private static Optional<String> near(String text, Set<String> known) {
    var city = "/" + text.replace(' ', '_');
    return known.stream()
        .filter(zone -> zone.endsWith(city))
        .min(Comparator.naturalOrder())
        .or(() -> SpellingSuggestion.closest(text, known));
  }

  /** The schema has reported any other value. */
  private static ScheduleRule.IfRunning ifRunning(FieldReader fields) {
    return fields.text("ifRunning").filter("queue"::equals).isPresent()
        ? ScheduleRule.IfRunning.QUEUE
        : ScheduleRule.IfRunning.SKIP;
  }
}
