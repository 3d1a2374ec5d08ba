package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import java.util.List;
import java.util.Set;

/**
 * Jobs for which workers are kept: gangs, which need several workers at the same time, and tasks
 * larger than what becomes free at once. Without kept workers, other jobs would always take what
 * becomes free.
 */
final class JobsWithKeptWorkers {
  private final Context context;
  private final EmptyJobCache emptyJobCache;

  JobsWithKeptWorkers(Context context, EmptyJobCache emptyJobCache) {
    this.context = context;
    this.emptyJobCache = emptyJobCache;
  }

  /**
   * The rows for which one of the workers is kept and that still have an unassigned task. One read
   * per row.
   */
  List<JobQueue.Row> of(String cluster, List<JobQueue.Row> rows, Set<String> workers) {
    return rows.stream()
        .filter(r -> r.kept().stream().anyMatch(workers::contains) && waits(cluster, r))
        .toList();
  }

  private boolean waits(String cluster, JobQueue.Row row) {
    if (emptyJobCache.has(row.job())) return false;
    var begun = emptyJobCache.generation();
    var waits =
        !context.ledger().query(new LedgerQuery.ReadyShards(cluster, row.job(), 0, 1)).isEmpty();
    if (!waits) emptyJobCache.add(row.job(), begun);
    return waits;
  }
}
