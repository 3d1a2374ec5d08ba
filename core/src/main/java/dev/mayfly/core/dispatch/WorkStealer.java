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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Takes the unstarted rest of leased shards for workers that have room. */
final class WorkStealer {
  private static final int MOST_SHARDS = 64;

  /** Attempts in vain become rarer, up to this many pauses between two. */
  private static final int MOST_PAUSES = 6;

  /** The last read of a job's leases, and how many pauses until the next. */
  private record LastRead(Instant at, int pauses) {}

  private final Context context;
  private final GrantListener listener;
  private final int mostJobs;
  private final Map<String, LastRead> lastReads = new HashMap<>();

  /**
   * @param mostJobs of how many jobs leases are read in one pass
   */
  WorkStealer(Context context, GrantListener listener, int mostJobs) {
    this.context = context;
    this.listener = listener;
    this.mostJobs = mostJobs;
  }

  /**
   * The jobs whose leases may be read now, some in one pass, so that all have their turn: those
   * that were read longest ago first.
   */
  List<JobQueue.Row> due(List<JobQueue.Row> rows) {
    return rows.stream()
        .filter(row -> !row.exclusive() && isDue(row))
        .sorted(Comparator.comparing(row -> lastRead(row).at()))
        .limit(mostJobs)
        .toList();
  }

  private LastRead lastRead(JobQueue.Row row) {
    return lastReads.getOrDefault(row.job(), new LastRead(Instant.EPOCH, 1));
  }

  private boolean isDue(JobQueue.Row row) {
    var last = lastRead(row);
    var pause = context.timings().stealPause().multipliedBy(last.pauses());
    return ElapsedTime.hasPassed(last.at(), pause, context.clock().instant());
  }

  /**
   * True if the job has a new READY shard. Reads at most once per {@link Timings#stealPause}.
   *
   * @param free workers with room for its tasks
   */
  boolean steal(String cluster, JobQueue.Row row, List<ShardAssignment.Candidate> free) {
    var now = context.clock().instant();
    var last = lastRead(row);
    var pause = context.timings().stealPause();
    if (free.isEmpty() || !isDue(row)) return false;
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
      if (stolen >= free.size()) break;
      if (!isOfAll(free, victim.value()) && steal(victim, row, now)) stolen++;
    }
    if (stolen > 0) lastReads.put(row.job(), new LastRead(now, 1));
    return stolen > 0;
  }

  /** Whether nobody else has room than the worker that holds it. */
  private static boolean isOfAll(List<ShardAssignment.Candidate> free, Shard shard) {
    return free.stream()
        .allMatch(it -> shard.owner().filter(o -> o.worker().equals(it.worker())).isPresent());
  }

  private boolean steal(VersionedDocument<Shard> victim, JobQueue.Row row, Instant now) {
    var shard = victim.value();
    if (shard.open() < 2 || shard.owner().isEmpty() || cut(shard, 1, now).isEmpty()) return false;
    // A shard preempted too often stays where it is: the other worker may be a spot machine.
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
