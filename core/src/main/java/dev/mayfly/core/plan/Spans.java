package dev.mayfly.core.plan;

import java.time.Duration;

/** Says how long something took as people do, by its largest unit: {@code 4 min}, {@code 2 h}. */
public final class Spans {
  private Spans() {}

  public static String say(Duration span) {
    var seconds = Math.max(0, span.toSeconds());
    if (seconds < 120) return seconds + " s";
    if (seconds < 7_200) return seconds / 60 + " min";
    return seconds / 3_600 + " h";
  }
}
