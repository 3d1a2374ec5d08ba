package dev.mayfly.core.text;

import java.time.Duration;
import java.time.Instant;

/** Formats durations for people. */
public final class HumanDuration {
  private HumanDuration() {}

  /** By its largest unit: {@code 4 min}, {@code 2 h}. */
  public static String format(Duration span) {
    var seconds = Math.max(0, span.toSeconds());
    if (seconds < 120) return seconds + " s";
    if (seconds < 7_200) return seconds / 60 + " min";
    return seconds / 3_600 + " h";
  }

  /** The time between, by its two largest units: {@code 2 h 5 min}. */
  public static String between(Instant from, Instant to) {
    var s = Math.max(0, Duration.between(from, to).toSeconds());
    if (s < 60) return s + " s";
    if (s < 3_600) return s / 60 + " min" + (s % 60 == 0 ? "" : " " + s % 60 + " s");
    if (s < 86_400) return s / 3_600 + " h" + (s % 3_600 < 60 ? "" : " " + s % 3_600 / 60 + " min");
    return s / 86_400 + " d " + s % 86_400 / 3_600 + " h";
  }

  /** For example {@code 2 h 5 min ago}. */
  public static String ago(Instant then, Instant now) {
    return between(then, now) + " ago";
  }
}
