package dev.mayfly.core.model;

import java.time.Instant;
import java.util.Map;

/**
 * {@code …/control/pulse}: news for waiting calls. Written blindly, merged field by field.
 *
 * @param work when work last appeared
 * @param workers when something last changed for a worker that only its orders tell
 */
public record Pulse(String cluster, Instant work, Map<String, Instant> workers)
    implements Document {
  public Pulse {
    workers = Map.copyOf(workers);
  }

  @Override
  public Key.OfPulse key() {
    return new Key.OfPulse(cluster);
  }
}
