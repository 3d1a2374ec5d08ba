package dev.mayfly.core.dispatch;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.plan.lease.StealPolicy;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Takes the unstarted rest of leased shards for idle workers. */
final class WorkStealer {
  private static final int MOST_SHARDS = 64;

  /** Attempts in vain become rarer, up to this many pauses between two. */
  private static final int MOST_PAUSES = 6;

  /** The last read of a job's leases, and how many pauses until the next. */
  private record LastRead(Instant at, int pauses) {}

  private final Context context;
  private final GrantListener listener;
  private final Map<String, LastRead> lastReads = new HashMap<>();

  WorkStealer(Context context, GrantListener listener) {
    this.context = context;
    this.listener = listener;
  }

  /** True if the job has a new READY shard. Reads at most once per {@link Timings#stealPause}. */
  boolean steal(String cluster, JobQueue.Row row, List<ShardAssignment.Candidate> idle) {
    var now = context.clock().instant();
    var last = lastReads.getOrDefault(row.job(), new LastRead(Instant.EPOCH, 1));
    var pause = context.timings().stealPause();
    if (idle.isEmpty() || !ElapsedTime.hasPassed(last.at(), pause.multipliedBy(last.pauses()), now))
      return false;
    lastReads
        .values()
        .removeIf(l -> ElapsedTime.hasPassed(l.at(), pause.multipliedBy(2 * MOST_PAUSES), now));
    lastReads.put(row.job(), new LastRead(now, Math.min(MOST_PAUSES, 2 * last.pauses())));
    var stolen = 0;
    var victims =
        context
            .ledger()
            .query(new LedgerQuery.LeasedShards(cluster, row.job(), MOST_SHARDS))
            .readableOnly();
    for (var victim : victims) {
      if (stolen >= idle.size()) break;
      if (steal(victim, row, now)) stolen++;
    }
    if (stolen > 0) lastReads.put(row.job(), new LastRead(now, 1));
    return stolen > 0;
  }

  private boolean steal(VersionedDocument<Shard> victim, JobQueue.Row row, Instant now) {
    var shard = victim.value();
    if (shard.open() < 2 || shard.owner().isEmpty() || cut(shard, 1, now).isEmpty()) return false;
    // A shard preempted too often stays where it is: the idle worker may be a spot machine.
    if (shard.isSpent(row.preemptions())) return false;
    var key = new DocumentKey.OfWorker(shard.cluster(), shard.owner().get().worker());
    var owner = context.ledger().readAll(List.of(key));
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
    return context
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(cut.rest(), victim.version()),
                new LedgerWrite.Create(cut.child()),
                new LedgerWrite.Signal(
                    shard.cluster(), now, false, List.of(shard.owner().get().worker()))))
        .done();
  }

  private OptionalLong cut(Shard shard, long slots, Instant now) {
    return StealPolicy.splitIndex(
        shard, slots, context.timings().stealPause(), context.timings().stealRest(), now);
  }
}
