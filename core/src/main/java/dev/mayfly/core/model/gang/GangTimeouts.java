package dev.mayfly.core.model.gang;

import java.time.Duration;
import java.util.Optional;

/**
 * A job's time limits for its gangs.
 *
 * @param timeout the longest run time of one attempt
 * @param settle from the first host's exit with 0 to the last one's; within the timeout in any case
 * @param grace between the request to end and the kill
 */
public record GangTimeouts(Duration timeout, Duration settle, Duration grace) {
  /** The limit of a job without a timeout. */
  private static final Duration FOR_EVER = Duration.ofDays(3_650);

  /** Uses the timeout, or no limit, as the default for {@code settle}. */
  public static GangTimeouts of(Duration timeout, Optional<Duration> settle, Duration grace) {
    var limit = timeout.isPositive() ? timeout : FOR_EVER;
    return new GangTimeouts(limit, settle.orElse(limit), grace);
  }
}
