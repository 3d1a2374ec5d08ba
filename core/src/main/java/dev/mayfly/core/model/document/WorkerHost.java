package dev.mayfly.core.model.document;

import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code …/workers/{worker}/hosts/{i}}: one VM of a multi-host slice, except the first. The
 * worker's own document covers the first.
 *
 * @param seq the newest sync of this host that was written here
 * @param firstSyncAt when an agent on it first synced
 * @param machineProblem the newest problem that its agent reported
 */
public record WorkerHost(
    String cluster,
    String worker,
    int index,
    Incarnation incarnation,
    long seq,
    Instant firstSyncAt,
    boolean drained,
    Optional<MachineProblem> machineProblem)
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
