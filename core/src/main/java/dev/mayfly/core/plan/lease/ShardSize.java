package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;

/**
 * How a job's tasks are first cut into shards: one for each worker that it could get, and none
 * smaller than a worker has slots, for every shard costs ten operations whatever is in it; not more
 * than a thousand documents, and not more than a thousand tasks in each unless the documents would
 * be too many. The work evens out by splits and steals, which are paid for only where it is uneven.
 * What must not run twice is never stolen, and so it is cut finer: about four shards for each slot.
 */
public final class ShardSize {
  private static final long SHARDS = 1_000;
  private static final long TASKS = 1_000;

  private ShardSize() {}

  public static long of(long tasks, JobSpec spec, ClusterSpec cluster) {
    if (spec.gang() > 1) return 1;
    var workers = 0L;
    var slots = 0L;
    for (var pool : cluster.pools()) {
      if (!spec.place().allowsSomeZone(pool)) continue;
      workers += pool.max();
      slots += pool.max() * Math.min(1_000_000, pool.visible().slots(spec.resources()));
    }
    var least = (tasks + SHARDS - 1) / SHARDS;
    workers = Math.max(1, workers);
    var even =
        spec.exclusive() ? tasks / (4 * Math.max(1, slots)) : Math.max(tasks, slots) / workers;
    return Math.max(1, Math.max(least, Math.min(even, TASKS)));
  }
}
