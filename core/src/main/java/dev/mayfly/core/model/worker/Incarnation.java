package dev.mayfly.core.model.worker;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One agent process on one boot of one machine. Names and addresses are reused; an incarnation is
 * not.
 *
 * @param agentStart orders the starts of the machine's agent ({@link #start}), truncated to the
 *     microsecond as in every store, so that the stored incarnation equals the one that the agent
 *     reports
 */
public record Incarnation(String instanceId, String bootId, Instant agentStart) {
  public Incarnation {
    agentStart = agentStart.truncatedTo(ChronoUnit.MICROS);
  }

  /**
   * The next start after {@code before} on the same disk: the clock, or one more than before if the
   * clock was set back.
   */
  public static Instant start(Optional<Instant> before, Instant clock) {
    var now = clock.truncatedTo(ChronoUnit.MICROS);
    return before
        .map(last -> last.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS))
        .filter(next -> next.isAfter(now))
        .orElse(now);
  }

  /** Whether it started later than the other, on the same machine. */
  public boolean isAfter(Incarnation other) {
    return agentStart.isAfter(other.agentStart);
  }
}
