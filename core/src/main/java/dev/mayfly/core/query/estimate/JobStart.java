package dev.mayfly.core.query.estimate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When the first task of a waiting job may start.
 *
 * @param spread empty if nothing is known to say it by
 * @param text the same for people, with what it is said by; or why it is unknown
 */
public record JobStart(Optional<Spread> spread, String text) {
  /** A spread that holds nine times out of ten. */
  public record Spread(Instant earliest, Instant latest) {
    private static final Duration SOON = Duration.ofMinutes(1);

    /** Whether no number tells more than that it is soon. */
    private boolean isSoon(Instant now) {
      return !latest.isAfter(now.plus(SOON));
    }

    /** {@code in 5m to 7m} from now on, or {@code within a minute}. */
    public String words(Instant now) {
      return isSoon(now) ? "within a minute" : "in " + JobEstimate.span(now, earliest, latest);
    }
  }

  /** Nothing is known to say it by. */
  static JobStart unknown(String why) {
    return new JobStart(Optional.empty(), "unknown: " + why);
  }

  /** It does not start unless somebody changes something. */
  static JobStart never(String why) {
    return new JobStart(Optional.empty(), "never, as it stands: " + why);
  }

  /**
   * @param basis what it is said by: half a sentence
   */
  static JobStart of(Spread spread, String basis, Instant now) {
    var about =
        spread.isSoon(now)
            ? spread.words(now)
            : "in about " + JobEstimate.span(now, spread.earliest(), spread.latest());
    return new JobStart(Optional.of(spread), about + ", " + basis);
  }
}
