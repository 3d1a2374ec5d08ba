package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.SyncContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs that had no READY shard when last asked; a pulse makes them worth asking again. */
final class EmptyJobCache {
  private final SyncContext syncContext;
  private final Map<String, Instant> asked = new HashMap<>();
  private long era;

  EmptyJobCache(SyncContext syncContext) {
    this.syncContext = syncContext;
  }

  synchronized boolean has(String job) {
    var now = syncContext.clock().instant();
    asked
        .values()
        .removeIf(at -> ElapsedTime.hasPassed(at, syncContext.rules().workerFresh(), now));
    return asked.containsKey(job);
  }

  /** What to tell {@link #add} of a question that begins now. */
  synchronized long generation() {
    return era;
  }

  /** Nothing was found; if work appeared since the question began, that says nothing. */
  synchronized void add(String job, long begun) {
    if (begun == era) asked.put(job, syncContext.clock().instant());
  }

  /** Asks the ledger of each job whether it is dry, side by side, at a read each. */
  void check(String cluster, List<JobQueue.Row> rows) {
    var looks = new ArrayList<Runnable>();
    for (var row : rows)
      looks.add(() -> {
        var begun = generation();
        if (syncContext
            .ledger()
            .query(new LedgerQuery.ReadyShards(cluster, row.job(), 0, 1))
            .isEmpty()) add(row.job(), begun);
      });
    syncContext.alarms().runAll(looks);
  }

  synchronized void remove(String job) {
    asked.remove(job);
  }

  synchronized void clear() {
    asked.clear();
    era++;
  }
}
