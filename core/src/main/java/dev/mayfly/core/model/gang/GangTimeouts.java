package dev.mayfly.core.model.gang;

import java.time.Duration;
import java.util.Optional;

/**
 * What a job says of the times of its gangs.
 *
 * @param timeout the longest that one attempt may run
 * @param settle from the first host's exit with 0 to the last one's; within the timeout in any case
 * @param grace between the request to end and the kill
 */
public record GangTimeouts(Duration timeout, Duration settle, Duration grace) {
  /** A job without a time limit of its own. */
  private static final Duration FOR_EVER = Duration.ofDays(3_650);

  /** Of a job that sets no other limit than its timeout, if it has one. */
  public static GangTimeouts of(Duration timeout, Optional<Duration> settle, Duration grace) {
    var limit = timeout.isPositive() ? timeout : FOR_EVER;
    return new GangTimeouts(limit, settle.orElse(limit), grace);
  }
}
