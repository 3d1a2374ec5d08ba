package dev.mayfly.sim.experiment;

import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** Times of a run, which are all told from its start. */
final class RunTime {
  private static final Pattern MOMENT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:[.]\\d+)?Z");

  private RunTime() {}

  /** To the millisecond, so that all times are written alike. */
  static Duration since(Instant at) {
    return Duration.between(World.START, at).truncatedTo(ChronoUnit.MILLIS);
  }

  /** The text with its points in time as what has passed until then: {@code until 26h14m}. */
  static String told(String text) {
    return MOMENT
        .matcher(text)
        .replaceAll(moment -> HumanDuration.result(since(Instant.parse(moment.group()))));
  }
}
