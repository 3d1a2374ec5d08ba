package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Which machines are kept although they do nothing, and for what: they cost as if they worked. */
public final class IdleMachines {
  private IdleMachines() {}

  /**
   * By worker, the wish of its pool's file that keeps it idle; those that end after {@code
   * idleAfter} are left out, and those of a reservation, which cost nothing more.
   *
   * @param clusterSnapshot its jobs do not matter
   * @param hasWork whether a job that has not ended may use the pool
   */
  public static Map<String, String> kept(
      ClusterSnapshot clusterSnapshot, Predicate<PoolSpec> hasWork) {
    var kept = new LinkedHashMap<String, String>();
    for (var pool : clusterSnapshot.cluster().spec().pools())
      if (pool.provisioning() != Provisioning.RESERVED
          && pool.provisioning() != Provisioning.STATIC)
        keep(clusterSnapshot, pool, hasWork.test(pool), kept);
    return kept;
  }

  private static void keep(
      ClusterSnapshot clusterSnapshot, PoolSpec pool, boolean hasWork, Map<String, String> kept) {
    var ready =
        clusterSnapshot.workers().stream()
            .filter(w -> w.pool().equals(pool.name()) && DrainPlanner.isReady(w))
            .filter(w -> ClusterInventory.takesWork(clusterSnapshot, w))
            .toList();
    var idle = idle(ready);
    var working = ready.size() - idle.size();
    var least = Math.clamp((long) pool.min() - working, 0, idle.size());
    var most = Math.min(idle.size(), Math.max(least, hasWork ? pool.spares() : 0));
    var why =
        pool.manual()
            ? "for mayfly slice delete %s to end it".formatted(pool.name())
            : "for workers.min: %d of pool %s".formatted(pool.min(), pool.name());
    for (var i = 0; i < most; i++)
      kept.put(
          idle.get(i).name(),
          i < least
              ? why
              : "as spare, for workers.spare: %d of pool %s".formatted(pool.spares(), pool.name()));
  }

  /** Those that are idle longest end first. */
  private static List<Worker> idle(List<Worker> ready) {
    return ready.stream()
        .filter(DrainPlanner::isIdle)
        .sorted(
            Comparator.comparing(DrainPlanner::idleSince)
                .reversed()
                .thenComparing(Worker::name, Comparator.reverseOrder()))
        .toList();
  }
}
