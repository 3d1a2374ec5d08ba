package dev.mayfly.core.model.document;

import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code …/workers/{worker}/hosts/{i}}: one VM of a slice that has several, beyond the first. What
 * the first one says is in the worker's own document.
 *
 * @param seq the newest sync of this host that was written here
 * @param firstSyncAt when an agent on it spoke for the first time
 * @param problem the newest trouble that its agent told, for people
 */
public record WorkerHost(
    String cluster,
    String worker,
    int index,
    Incarnation incarnation,
    long seq,
    Instant firstSyncAt,
    boolean drained,
    Optional<String> problem)
    implements LedgerDocument {
  public WorkerHost {
    if (index < 1) throw new IllegalArgumentException("host " + index + " has no document");
  }

  @Override
  public DocumentKey.OfHost key() {
    return new DocumentKey.OfHost(cluster, worker, index);
  }

  public HostId id() {
    return new HostId(worker, index);
  }
}
