package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Map;

/**
 * {@code …/control/change-signal}: wakes pending syncs. Written without a read, merged field by
 * field.
 *
 * @param work when work last appeared
 * @param workers by worker, when a change last occurred that only its orders contain
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
