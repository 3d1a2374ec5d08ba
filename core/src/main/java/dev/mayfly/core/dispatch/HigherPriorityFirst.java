package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/**
 * Where a job of a higher priority has READY tasks that a worker could run, jobs of a lower one get
 * what is free there and no queue: all that falls free next is for the higher one.
 */
final class HigherPriorityFirst {
  /** Jobs that a pass asks about; each is a read. */
  private static final int MOST = 32;

  private final EmptyJobCache emptyJobCache;
  private final InstantSource clock;

  HigherPriorityFirst(EmptyJobCache emptyJobCache, InstantSource clock) {
    this.emptyJobCache = emptyJobCache;
    this.clock = clock;
  }

  /**
   * @param higher rows of all higher priorities
   * @param workerDemands calls that still wait for work
   */
  void stopQueueing(
      String cluster, List<JobQueue.Row> higher, Collection<WorkerDemand> workerDemands) {
    if (higher.isEmpty()) return;
    var ahead = workerDemands.stream().filter(WorkerDemand::mayQueue).toList();
    var rows =
        higher.stream()
            .filter(row -> row.gang() <= 1 && !emptyJobCache.has(row.job()))
            .filter(row -> ahead.stream().anyMatch(b -> couldRun(b, row)))
            .limit(MOST)
            .toList();
    if (rows.isEmpty()) return;
    emptyJobCache.check(cluster, rows);
    for (var row : rows)
      if (!emptyJobCache.has(row.job()))
        ahead.stream().filter(b -> couldRun(b, row)).forEach(WorkerDemand::stopQueueing);
  }

  private boolean couldRun(WorkerDemand workerDemand, JobQueue.Row row) {
    return workerDemand.couldRun(row) && workerDemand.mayTake(row, clock.instant());
  }
}
