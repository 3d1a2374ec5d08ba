package dev.mayfly.core.text;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Formats spans of time, wherever people read one. */
public final class HumanDuration {
  private HumanDuration() {}

  /**
   * As kubectl writes it, and documents take it: {@code 98s}, {@code 3m12s}, {@code 45m}, {@code
   * 5h20m}, {@code 3d4h}. A longer time never has a smaller number of the same unit, and two units
   * only while the second counts: for ages. When something ends, and what somebody wrote, is told
   * by {@link #result} and {@link #exact}.
   */
  public static String format(Duration span) {
    var s = Math.max(0, span.toSeconds());
    var m = s / 60;
    var h = m / 60;
    if (s < 120) return s + "s";
    if (m < 10) return two(m, "m", s % 60, "s");
    if (h < 1) return m + "m";
    if (h < 8) return two(h, "h", m % 60, "m");
    if (h < 48) return h + "h";
    return h < 192 ? two(h / 24, "d", h % 24, "h") : h / 24 + "d";
  }

  /**
   * How long something took or will take, which people plan by: as {@link #format}, but hours
   * always have their minutes, and days their hours ({@code 9h45m}, {@code 12d3h}).
   */
  public static String result(Duration span) {
    var m = Math.max(0, span.toMinutes());
    var h = m / 60;
    if (h < 8) return format(span);
    return h < 48 ? two(h, "h", m % 60, "m") : two(h / 24, "d", h % 24, "h");
  }

  /**
   * All of it, to the millisecond, as a document may have it: what somebody set, and two times that
   * are told apart ({@code 30h20m}, {@code 58m12s}).
   */
  public static String exact(Duration span) {
    var left = span.isNegative() ? Duration.ZERO : span.truncatedTo(ChronoUnit.MILLIS);
    if (left.toSeconds() < 120)
      return left.toMillisPart() == 0 ? left.toSeconds() + "s" : millis(left);
    var h = left.toHours();
    var text = h < 48 ? part(h, "h") : part(h / 24, "d") + part(h % 24, "h");
    text += part(left.toMinutesPart(), "m") + part(left.toSecondsPart(), "s");
    return text + part(left.toMillisPart(), "ms");
  }

  private static String millis(Duration left) {
    return part(left.toSeconds(), "s") + part(left.toMillisPart(), "ms");
  }

  private static String part(long n, String unit) {
    return n == 0 ? "" : n + unit;
  }

  private static String two(long n, String unit, long rest, String lesser) {
    return n + unit + (rest == 0 ? "" : rest + lesser);
  }

  /** The time between. */
  public static String between(Instant from, Instant to) {
    return format(Duration.between(from, to));
  }

  /** For example {@code 2h5m ago}. */
  public static String ago(Instant then, Instant now) {
    return between(then, now) + " ago";
  }
}
