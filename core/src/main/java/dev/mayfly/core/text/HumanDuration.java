package dev.mayfly.core.text;

import java.time.Duration;
import java.time.Instant;

/** Formats spans of time, wherever people read one. */
public final class HumanDuration {
  private HumanDuration() {}

  /**
   * As kubectl writes it, and documents take it: {@code 98s}, {@code 3m12s}, {@code 45m}, {@code
   * 5h20m}, {@code 3d4h}. A longer time never has a smaller number of the same unit, and two units
   * only while the second counts.
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
