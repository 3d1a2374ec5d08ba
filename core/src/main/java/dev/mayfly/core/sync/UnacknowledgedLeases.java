package dev.mayfly.core.sync;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Leases that a worker's document has and that neither its agent nor the shard's document
 * attributes to it. No order names them, so the agent never returns them: the control plane takes
 * them from the document itself.
 */
final class UnacknowledgedLeases {
  private final Ledger ledger;
  private final Duration syncInterval;

  UnacknowledgedLeases(Ledger ledger, Duration syncInterval) {
    this.ledger = ledger;
    this.syncInterval = syncInterval;
  }

  /**
   * Those of the worker's leases that are older than a sync, that its agent does not report, and
   * whose shards are leased otherwise.
   */
  Set<LeaseRef> of(Worker worker, Set<LeaseRef> reported, Instant now) {
    var missing =
        worker.held().stream()
            .filter(h -> !h.gang() && !reported.contains(h.ref()))
            .filter(h -> ElapsedTime.hasPassed(h.since(), syncInterval, now))
            .map(Worker.Held::ref)
            .collect(Collectors.toSet());
    return missing.isEmpty() ? missing : among(worker, missing);
  }

  private Set<LeaseRef> among(Worker worker, Set<LeaseRef> missing) {
    var unacknowledged = new HashMap<DocumentKey.OfShard, LeaseRef>();
    for (var lease : missing)
      unacknowledged.put(
          new DocumentKey.OfShard(worker.cluster(), lease.job(), lease.start()), lease);
    var found = ledger.readAll(Set.copyOf(unacknowledged.keySet()));
    for (var storedShard :
        found.readable(unreadable ->
            unacknowledged.keySet().removeIf(k -> k.path().equals(unreadable.path())))) {
      var shard = storedShard.value();
      if (shard.state() == Shard.State.LEASED)
        unacknowledged.remove(shard.key(), new LeaseRef(shard.job(), shard.start(), shard.epoch()));
    }
    return Set.copyOf(unacknowledged.values());
  }

  /** For people. */
  static String text(Set<LeaseRef> leases) {
    return "its agent does not have what it was given: tasks "
        + leases.stream()
            .map(lease -> "from %d of job %s".formatted(lease.start(), lease.job()))
            .sorted()
            .collect(Collectors.joining(", "));
  }
}
