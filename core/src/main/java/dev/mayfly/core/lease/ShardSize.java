package dev.mayfly.core.lease;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.JobSpec;

/**
 * How a job's tasks are first cut into shards: about four shards for each slot that it could get,
 * so that the work evens out; not more than a thousand documents, and not more than a thousand
 * tasks in each unless the documents would be too many. Splits make more when needed.
 */
public final class ShardSize {
  private static final long SHARDS = 1_000;
  private static final long TASKS = 1_000;

  private ShardSize() {}

  public static long of(long tasks, JobSpec spec, ClusterSpec cluster) {
    if (spec.gang() > 1) return 1;
    var slots =
        cluster.pools().stream()
            .filter(spec.place()::someZone)
            .mapToLong(p -> p.max() * Math.min(1_000_000, p.visible().slots(spec.resources())))
            .sum();
    var least = (tasks + SHARDS - 1) / SHARDS;
    var even = Math.min(tasks / (4 * Math.max(1, slots)), TASKS);
    return Math.max(1, Math.max(least, even));
  }
}
