package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * {@code …/heartbeats/{instance}}: when each worker that synced with this function instance is due
 * next.
 *
 * @param stalledUntil the end of the instance's last known suspension; until then it may have
 *     accepted calls without serving them
 */
public record Heartbeats(
    String cluster,
    String instance,
    Instant writtenAt,
    Optional<Instant> stalledUntil,
    Map<String, Instant> due)
    implements LedgerDocument {
  public Heartbeats {
    due = Map.copyOf(due);
  }

  /** For an instance that was never suspended. */
  public Heartbeats(String cluster, String instance, Instant writtenAt, Map<String, Instant> due) {
    this(cluster, instance, writtenAt, Optional.empty(), due);
  }

  @Override
  public DocumentKey.OfHeartbeats key() {
    return new DocumentKey.OfHeartbeats(cluster, instance);
  }
}
