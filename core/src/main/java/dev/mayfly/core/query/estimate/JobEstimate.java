package dev.mayfly.core.query.estimate;

import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a job may be done, and what its tasks cost until then, if they go on as they did.
 *
 * @param rest empty if nothing is known to say it by
 * @param text the same for people, with what it is said by; or why it is unknown
 */
public record JobEstimate(Optional<Rest> rest, String text) {
  /** Nothing is known to say it by. */
  static JobEstimate unknown(String why) {
    return new JobEstimate(Optional.empty(), "unknown: " + why);
  }

  /**
   * @param basis what it is said by: half a sentence
   */
  static JobEstimate of(Rest rest, String basis, Instant now) {
    return new JobEstimate(
        Optional.of(rest), "in about %s%s, %s".formatted(rest.span(now), rest.price(), basis));
  }

  /**
   * A spread that holds nine times of ten.
   *
   * @param leastUsd of the job's tasks alone; empty if a price is not known
   */
  public record Rest(
      Instant earliest, Instant latest, Optional<Double> leastUsd, Optional<Double> mostUsd) {
    private String span(Instant now) {
      return range(HumanDuration.between(now, earliest), HumanDuration.between(now, latest));
    }

    private String price() {
      if (leastUsd.isEmpty() || mostUsd.isEmpty()) return "";
      var range = range(HumanAmounts.usd(leastUsd.get()), HumanAmounts.usd(mostUsd.get()));
      return " for " + range + " more";
    }

    private static String range(String least, String most) {
      return least.equals(most) ? most : least + " to " + most;
    }
  }
}
