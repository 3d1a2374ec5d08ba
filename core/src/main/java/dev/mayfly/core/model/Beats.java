package dev.mayfly.core.model;

import java.time.Instant;
import java.util.Map;

/** {@code …/beats/{instance}}: when each worker that this function instance heard is due next. */
public record Beats(String cluster, String instance, Instant writtenAt, Map<String, Instant> due)
    implements Document {
  public Beats {
    due = Map.copyOf(due);
  }

  @Override
  public Key.OfBeats key() {
    return new Key.OfBeats(cluster, instance);
  }
}
