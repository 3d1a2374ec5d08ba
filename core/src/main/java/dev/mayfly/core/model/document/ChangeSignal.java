package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Map;

/**
 * {@code …/control/change-signal}: news for waiting calls. Written blindly, merged field by field.
 *
 * @param work when work last appeared
 * @param workers when something last changed for a worker that only its orders tell
 */
public record ChangeSignal(String cluster, Instant work, Map<String, Instant> workers)
    implements LedgerDocument {
  public ChangeSignal {
    workers = Map.copyOf(workers);
  }

  @Override
  public DocumentKey.OfChangeSignal key() {
    return new DocumentKey.OfChangeSignal(cluster);
  }
}
