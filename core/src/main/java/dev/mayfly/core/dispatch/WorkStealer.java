package dev.mayfly.core.dispatch;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.plan.lease.StealPolicy;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.SyncContext;
import dev.mayfly.core.state.Timings;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Takes the rest of leased shards for workers that have nothing to do. */
final class WorkStealer {
  private static final int LOOKED_AT = 64;

  /** Looks in vain become rarer, up to so many pauses from one to the next. */
  private static final int RAREST = 6;

  /** The last look at a job's leases, and how many pauses until the next. */
  private record Look(Instant at, int pauses) {}

  private final SyncContext syncContext;
  private final GrantListener listener;
  private final Map<String, Look> looked = new HashMap<>();

  WorkStealer(SyncContext syncContext, GrantListener listener) {
    this.syncContext = syncContext;
    this.listener = listener;
  }

  /**
   * True if there is a new READY shard of the job; at most one look in {@link Timings#stealPause}.
   */
  boolean steal(String cluster, JobQueue.Row row, List<ShardAssignment.Candidate> idle) {
    var now = syncContext.clock().instant();
    var last = looked.getOrDefault(row.job(), new Look(Instant.EPOCH, 1));
    var pause = syncContext.rules().stealPause();
    if (idle.isEmpty() || !ElapsedTime.hasPassed(last.at(), pause.multipliedBy(last.pauses()), now))
      return false;
    looked
        .values()
        .removeIf(l -> ElapsedTime.hasPassed(l.at(), pause.multipliedBy(2 * RAREST), now));
    looked.put(row.job(), new Look(now, Math.min(RAREST, 2 * last.pauses())));
    var stolen = 0;
    var victims =
        syncContext
            .ledger()
            .query(new LedgerQuery.LeasedShards(cluster, row.job(), LOOKED_AT))
            .readableOnly();
    for (var victim : victims) {
      if (stolen >= idle.size()) break;
      if (steal(victim, row, now)) stolen++;
    }
    if (stolen > 0) looked.put(row.job(), new Look(now, 1));
    return stolen > 0;
  }

  private boolean steal(VersionedDocument<Shard> victim, JobQueue.Row row, Instant now) {
    var shard = victim.value();
    if (shard.open() < 2 || shard.owner().isEmpty() || cut(shard, 1, now).isEmpty()) return false;
    // What was lost too often is where it may be; the thief may be a spot machine.
    if (shard.spent(row.preemptions())) return false;
    var key = new DocumentKey.OfWorker(shard.cluster(), shard.owner().get().worker());
    var owner = syncContext.ledger().readAll(List.of(key));
    if (!owner.unreadable().isEmpty()) return false;
    var slots =
        owner.readableOnly().stream()
            .findFirst()
            .map(o -> o.value().total().slots(row.need()))
            .orElse(1L);
    var at = cut(shard, slots, now);
    if (at.isEmpty()) return false;
    var cut = ShardTransitions.cut(shard, at.getAsLong(), now);
    listener.invalidate(shard.owner().get().worker());
    return syncContext
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(cut.rest(), victim.version()),
                new LedgerWrite.Create(cut.child()),
                new LedgerWrite.Notify(
                    shard.cluster(), now, false, List.of(shard.owner().get().worker()))))
        .done();
  }

  private OptionalLong cut(Shard shard, long slots, Instant now) {
    return StealPolicy.splitIndex(
        shard, slots, syncContext.rules().stealPause(), syncContext.rules().stealRest(), now);
  }
}
