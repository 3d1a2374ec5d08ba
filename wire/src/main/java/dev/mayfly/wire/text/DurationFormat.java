package dev.mayfly.wire.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/**
 * Durations as {@code 90s}, {@code 10m}, {@code 1h30m}, {@code 2d}; ISO 8601 ({@code PT10M}) is
 * read too.
 */
public final class DurationFormat {
  private static final Pattern PARTS =
      Pattern.compile(
          "(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
  private static final Duration[] UNITS = {
    Duration.ofDays(1),
    Duration.ofHours(1),
    Duration.ofMinutes(1),
    Duration.ofSeconds(1),
    Duration.ofMillis(1)
  };
  private static final String[] NAMES = {"d", "h", "m", "s", "ms"};

  private DurationFormat() {}

  /** Parses a duration; throws {@link IllegalArgumentException} with the remedy. */
  public static Duration read(String text) {
    var parts = PARTS.matcher(text);
    if (!text.isEmpty() && parts.matches()) return sum(parts);
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; write it as 90s, 10m, 1h30m or 2d", e);
    }
  }

  private static Duration sum(java.util.regex.Matcher parts) {
    var sum = Duration.ZERO;
    for (var i = 0; i < UNITS.length; i++)
      if (parts.group(i + 1) != null)
        sum = sum.plus(UNITS[i].multipliedBy(Long.parseLong(parts.group(i + 1))));
    return sum;
  }

  /** The shortest exact text of {@code duration}. */
  public static String write(Duration duration) {
    if (duration.isZero()) return "0s";
    if (duration.isNegative() || duration.toNanosPart() % 1_000_000 != 0)
      return duration.toString();
    var text = new StringBuilder();
    var rest = duration;
    for (var i = 0; i < UNITS.length; i++) {
      var n = rest.dividedBy(UNITS[i]);
      if (n > 0) text.append(n).append(NAMES[i]);
      rest = rest.minus(UNITS[i].multipliedBy(n));
    }
    return text.toString();
  }
}
