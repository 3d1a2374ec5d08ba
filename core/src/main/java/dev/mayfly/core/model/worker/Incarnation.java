package dev.mayfly.core.model.worker;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One agent process on one boot of one machine. Names and addresses are reused; this is not.
 *
 * @param agentStart its place among the starts of the machine's agent ({@link #start}), to the
 *     microsecond, which is what every store keeps: whoever reads a worker's document must find the
 *     incarnation in it that its agent goes on naming
 */
public record Incarnation(String instanceId, String bootId, Instant agentStart) {
  public Incarnation {
    agentStart = agentStart.truncatedTo(ChronoUnit.MICROS);
  }

  /**
   * The place of a start after the one before it on the same disk: a counter that follows the clock
   * while the clock goes forward, and counts on by itself where the clock was set back.
   */
  public static Instant start(Optional<Instant> before, Instant clock) {
    var now = clock.truncatedTo(ChronoUnit.MICROS);
    return before
        .map(last -> last.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS))
        .filter(next -> next.isAfter(now))
        .orElse(now);
  }

  /** Whether it is a later start than the other, of the same machine. */
  public boolean isAfter(Incarnation other) {
    return agentStart.isAfter(other.agentStart);
  }
}
