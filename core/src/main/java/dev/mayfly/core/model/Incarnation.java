package dev.mayfly.core.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One agent process on one boot of one machine. Names and addresses are reused; this is not.
 *
 * @param agentStart to the microsecond, which is what every store keeps: whoever reads a worker's
 *     document must find the incarnation in it that its agent goes on naming
 */
public record Incarnation(String instanceId, String bootId, Instant agentStart) {
  public Incarnation {
    agentStart = agentStart.truncatedTo(ChronoUnit.MICROS);
  }
}
