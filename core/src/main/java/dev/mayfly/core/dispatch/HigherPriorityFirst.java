package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/**
 * Where a higher-priority job has READY tasks that a worker could run, lower-priority jobs get only
 * what is free there now and no queue: whatever becomes free next belongs to the higher one.
 */
final class HigherPriorityFirst {
  /** Most jobs checked per pass, at one read each. */
  private static final int MAX_JOBS_CHECKED = 32;

  private final EmptyJobCache emptyJobCache;
  private final InstantSource clock;

  HigherPriorityFirst(EmptyJobCache emptyJobCache, InstantSource clock) {
    this.emptyJobCache = emptyJobCache;
    this.clock = clock;
  }

  /**
   * @param higher rows of all higher priorities
   * @param workerDemands syncs that still wait for work
   */
  void stopQueueing(
      String cluster, List<JobQueue.Row> higher, Collection<WorkerDemand> workerDemands) {
    if (higher.isEmpty()) return;
    var queueing = workerDemands.stream().filter(WorkerDemand::mayQueue).toList();
    var rows =
        higher.stream()
            .filter(row -> row.gang() <= 1 && !emptyJobCache.has(row.job()))
            .filter(row -> queueing.stream().anyMatch(b -> couldRun(b, row)))
            .limit(MAX_JOBS_CHECKED)
            .toList();
    if (rows.isEmpty()) return;
    emptyJobCache.check(cluster, rows);
    for (var row : rows)
      if (!emptyJobCache.has(row.job()))
        queueing.stream().filter(b -> couldRun(b, row)).forEach(WorkerDemand::stopQueueing);
  }

  private boolean couldRun(WorkerDemand workerDemand, JobQueue.Row row) {
    return workerDemand.couldRun(row) && workerDemand.mayTake(row, clock.instant());
  }
}
