package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import java.util.HashMap;

/**
 * The initial size of a job's shards: one shard for each worker that it could get, none smaller
 * than a worker's slots, because every shard costs ten operations whatever its size; at most a
 * thousand shards, and at most a thousand tasks in each unless that needs too many shards. Splits
 * and steals even out the work, and cost something only where it is uneven. Exclusive tasks are
 * never stolen, so their shards are finer: about four for each slot.
 */
public final class ShardSize {
  private static final long SHARDS = 1_000;
  private static final long TASKS = 1_000;

  private ShardSize() {}

  public static long of(long tasks, JobSpec spec, ClusterSpec cluster) {
    if (spec.gang() > 1) return 1;
    var machines = new HashMap<String, Long>();
    var slotsOf = new HashMap<String, Long>();
    for (var pool : cluster.pools()) {
      if (!spec.place().allowsSomeZone(pool)) continue;
      var each = Math.min(1_000_000, pool.visible().slots(spec.resources()));
      machines.put(pool.family(), (long) pool.max());
      slotsOf.merge(pool.family(), pool.max() * each, Math::max);
    }
    var workers = machines.values().stream().mapToLong(Long::longValue).sum();
    var slots = slotsOf.values().stream().mapToLong(Long::longValue).sum();
    var least = (tasks + SHARDS - 1) / SHARDS;
    workers = Math.max(1, workers);
    var even =
        spec.exclusive() ? tasks / (4 * Math.max(1, slots)) : Math.max(tasks, slots) / workers;
    return Math.max(1, Math.max(least, Math.min(even, TASKS)));
  }
}
