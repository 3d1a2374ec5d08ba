package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which of the types comes first among which a pool chooses ({@code anyOf}): the one whose machines
 * for all of the job's open tasks cost least an hour, and are not known to be hard to keep.
 *
 * <p>What is remembered of a type's best zone makes it dearer by as much as it weighs in {@link
 * ZoneAvailability}: a type that lost a machine soon after its start by a quarter, one that was out
 * of stock until just now by nearly a half. So does each machine that is being taken back. Nothing
 * is known of how much faster a dearer machine runs a task, so that counts for nothing.
 *
 * <p><b>Must:</b> leave all other pools where the cluster's file has them; put a type without a
 * known price last; keep the file's order among equals.
 */
final class PoolChoice {
  /** What is remembered makes a type no dearer than by this part. */
  private static final double MOST = 0.5;

  private final Cluster cluster;
  private final ZoneAvailability zoneAvailability;
  private final Map<String, Integer> leaving = new HashMap<>();

  PoolChoice(ClusterSnapshot clusterSnapshot, ZoneAvailability zoneAvailability) {
    cluster = clusterSnapshot.cluster();
    this.zoneAvailability = zoneAvailability;
    for (var worker : clusterSnapshot.workers())
      if (worker.notice().isPresent()) leaving.merge(worker.pool(), 1, Integer::sum);
  }

  /**
   * The same pools: each family where its first pool was, its types by what the tasks cost on them.
   *
   * @param open how many tasks have no room
   */
  List<PoolSpec> inOrder(List<PoolSpec> pools, JobDemand job, long open) {
    if (pools.stream().noneMatch(pool -> PoolSpec.isChoice(pool.name()))) return pools;
    var families = new LinkedHashMap<String, List<PoolSpec>>();
    for (var pool : pools)
      families.computeIfAbsent(pool.family(), _ -> new ArrayList<>()).add(pool);
    for (var family : families.values())
      family.sort(Comparator.comparingDouble(pool -> usdPerHour(pool, job, open)));
    return families.values().stream().flatMap(List::stream).toList();
  }

  private double usdPerHour(PoolSpec pool, JobDemand job, long open) {
    if (Feasibility.why(job.need(), job.place(), pool).isPresent()) return Double.MAX_VALUE;
    return PoolPrice.usdPerHour(cluster.spec(), pool)
        .map(usd -> usd * UnmetDemand.needed(pool, job, open) * (1 + remembered(pool, job)))
        .orElse(Double.MAX_VALUE);
  }

  /** What its best zone weighs, and what leaves now. */
  private double remembered(PoolSpec pool, JobDemand job) {
    var known =
        pool.zones().stream()
            .filter(job.place()::allowsZone)
            .mapToDouble(zone -> zoneAvailability.score(cluster, pool, zone))
            .min()
            .orElse(0);
    var leaves = ZoneAvailability.SHORT_LIVED * leaving.getOrDefault(pool.name(), 0);
    return Math.min(MOST, known + leaves);
  }
}
