package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.state.Context;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Takes what others hold and have not started for workers that have room for it, first for those
 * that have nothing to do.
 */
final class StealPass {
  /** Jobs whose leases are read in one pass for workers that have work. */
  private static final int JOBS_FOR_BUSY = 8;

  private final WorkStealer forIdle;
  private final WorkStealer forBusy;
  private final BiFunction<JobQueue.Row, List<WorkerDemand>, List<ShardAssignment.Candidate>>
      fitting;

  /**
   * @param fitting which of these workers may take tasks of the job
   */
  StealPass(
      Context context,
      GrantListener listener,
      BiFunction<JobQueue.Row, List<WorkerDemand>, List<ShardAssignment.Candidate>> fitting) {
    forIdle = new WorkStealer(context, listener, Integer.MAX_VALUE);
    forBusy = new WorkStealer(context, listener, JOBS_FOR_BUSY);
    this.fitting = fitting;
  }

  /** Whether it is time to look what one of these syncs could take from others. */
  boolean mayTake(List<JobQueue.Row> rows, Collection<PendingSync> waiting) {
    return mayTake(forIdle, rows, waiting, sync -> sync.worker().held().isEmpty())
        || mayTake(forBusy, rows, waiting, _ -> true);
  }

  private static boolean mayTake(
      WorkStealer workStealer,
      List<JobQueue.Row> rows,
      Collection<PendingSync> waiting,
      Predicate<PendingSync> who) {
    for (var row : workStealer.due(rows))
      for (var sync : waiting) if (sync.free().fits(row.need()) && who.test(sync)) return true;
    return false;
  }

  /**
   * A job that has READY shards again.
   *
   * @param roomy workers with room for its tasks
   */
  record Stolen(JobQueue.Row row, List<WorkerDemand> roomy) {}

  /** Takes from one job; empty if there is nothing to take. */
  Optional<Stolen> steal(
      String cluster, List<JobQueue.Row> rows, Collection<WorkerDemand> workerDemands) {
    var smallest = WorkerDemand.smallestNeed(rows);
    var free = workerDemands.stream().filter(demand -> demand.hasRoom(smallest)).toList();
    var idle = free.stream().filter(WorkerDemand::holdsNothing).toList();
    return steal(cluster, rows, forIdle, idle).or(() -> steal(cluster, rows, forBusy, free));
  }

  private Optional<Stolen> steal(
      String cluster, List<JobQueue.Row> rows, WorkStealer workStealer, List<WorkerDemand> free) {
    if (free.isEmpty()) return Optional.empty();
    for (var row : workStealer.due(rows)) {
      var roomy = free.stream().filter(demand -> demand.slots(row) > 0).toList();
      if (workStealer.steal(cluster, row, fitting.apply(row, roomy)))
        return Optional.of(new Stolen(row, roomy));
    }
    return Optional.empty();
  }
}
