package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs that had no READY shard when last checked. A change signal clears them. */
final class EmptyJobCache {
  private final Context context;
  private final Map<String, Instant> checkedAt = new HashMap<>();
  private long currentGeneration;

  EmptyJobCache(Context context) {
    this.context = context;
  }

  synchronized boolean has(String job) {
    var at = checkedAt.get(job);
    if (at == null) return false;
    var old = ElapsedTime.hasPassed(at, context.timings().workerFresh(), context.clock().instant());
    if (old) checkedAt.remove(job);
    return !old;
  }

  /** Pass this to {@link #add} for a check that begins now. */
  synchronized long generation() {
    return currentGeneration;
  }

  /** Records that the check found nothing, unless work appeared since the check began. */
  synchronized void add(String job, long begun) {
    if (begun == currentGeneration) checkedAt.put(job, context.clock().instant());
  }

  /** Checks each job for READY shards: one read per job, in parallel. */
  void check(String cluster, List<JobQueue.Row> rows) {
    var reads = new ArrayList<Runnable>();
    for (var row : rows)
      reads.add(() -> {
        var begun = generation();
        if (context.ledger().query(new LedgerQuery.ReadyShards(cluster, row.job(), 0, 1)).isEmpty())
          add(row.job(), begun);
      });
    context.executor().runAll(reads);
  }

  synchronized void remove(String job) {
    checkedAt.remove(job);
  }

  synchronized void clear() {
    checkedAt.clear();
    currentGeneration++;
  }
}
