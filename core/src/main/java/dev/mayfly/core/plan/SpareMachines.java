package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Use;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import java.util.Set;

/**
 * The machines that a pool keeps beyond those that tasks take, so that the next task waits for no
 * boot.
 *
 * <p><b>Must:</b> keep none where no job has tasks that have not ended and might use the pool, nor
 * where one of those has no room: its machines may have to be in one zone, and spare ones elsewhere
 * are what the maximum has left; count every machine without a task, on its way or there, also
 * those of the minimum.
 */
final class SpareMachines {
  private final ClusterSnapshot clusterSnapshot;
  private final Set<String> starved;

  /**
   * @param starved the jobs for which the plan found no room, by uid
   */
  SpareMachines(ClusterSnapshot clusterSnapshot, Set<String> starved) {
    this.clusterSnapshot = clusterSnapshot;
    this.starved = starved;
  }

  /** How many the pool keeps now. */
  int wanted(PoolSpec pool) {
    if (pool.spares() == 0 || !DrainPlanner.isBought(pool)) return 0;
    var jobs =
        clusterSnapshot.jobs().stream()
            .filter(job -> job.ready() + job.leased() > 0)
            .filter(job -> Feasibility.why(job.need(), job.place(), pool).isEmpty())
            .toList();
    var isWanted = !jobs.isEmpty() && jobs.stream().noneMatch(job -> starved.contains(job.job()));
    return isWanted ? pool.spares() : 0;
  }

  /** How many more are to be launched, once the plan's jobs took theirs. */
  int missing(PoolSpec pool, ClusterCapacity left) {
    return (int) Math.max(0, wanted(pool) - ready(pool, left) - coming(pool, left));
  }

  /** How many that are there no job has taken. */
  static long ready(PoolSpec pool, ClusterCapacity left) {
    return count(pool, left, Use.IDLE) + count(pool, left, Use.SPARE);
  }

  /** How many on their way no job has taken. */
  static long coming(PoolSpec pool, ClusterCapacity left) {
    return count(pool, left, Use.IN_FLIGHT);
  }

  private static long count(PoolSpec pool, ClusterCapacity left, Use use) {
    return left.rooms().stream()
        .filter(room -> room.use() == use && room.at().pool().equals(pool.name()))
        .mapToLong(ClusterCapacity.Room::count)
        .sum();
  }
}
