package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * {@code …/heartbeats/{instance}}: when each worker that this function instance heard is due next.
 *
 * @param stalledUntil until when the instance stood still at last, as far as it noticed: up to then
 *     it may have kept calls that nobody served
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

  /** Of an instance that never stood still. */
  public Heartbeats(String cluster, String instance, Instant writtenAt, Map<String, Instant> due) {
    this(cluster, instance, writtenAt, Optional.empty(), due);
  }

  @Override
  public DocumentKey.OfHeartbeats key() {
    return new DocumentKey.OfHeartbeats(cluster, instance);
  }
}
