package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.pace.LostWork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which of the types comes first among which a pool chooses ({@code anyOf}): the one whose machines
 * for all of the job's open tasks cost least for an hour of work that is kept.
 *
 * <p>What its tasks lost with machines of a type in the zone that is asked makes it dearer without
 * a limit ({@link LostWork}): a type of which half of the work is lost costs twice its price.
 * Beside that, what is remembered of refusals makes it dearer by as much as it weighs in {@link
 * ZoneAvailability}, a half at most: a type that lost a machine soon after its start by a quarter,
 * one that was out of stock until just now by nearly a half. So does each machine that is being
 * taken back. Nothing is known of how much faster a dearer machine runs a task, so that counts for
 * nothing.
 *
 * <p><b>Must:</b> leave all other pools where the cluster's file has them; put a type without a
 * known price last; keep the file's order among equals.
 */
final class PoolChoice {
  /** What is remembered of refusals makes a type no dearer than by this part. */
  private static final double MOST = 0.5;

  private final Cluster cluster;
  private final ZoneAvailability zoneAvailability;
  private final LostWork lostWork;
  private final Map<String, Integer> leaving = new HashMap<>();

  PoolChoice(ClusterSnapshot clusterSnapshot, ZoneAvailability zoneAvailability) {
    cluster = clusterSnapshot.cluster();
    this.zoneAvailability = zoneAvailability;
    lostWork = new LostWork(clusterSnapshot);
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

  /**
   * Why machines of the pool are bought although those of another type cost less: what was lost
   * with them; empty if that decided nothing.
   */
  Optional<String> why(PoolSpec pool, JobDemand job, long open) {
    if (!PoolSpec.isChoice(pool.name())) return Optional.empty();
    var its = usdPerHour(pool, job, open);
    return cluster.spec().pools().stream()
        .filter(other -> other.family().equals(pool.family()))
        .filter(other -> job.place().allowsPool(other.name()))
        .filter(other -> price(other, job, open) < price(pool, job, open))
        .filter(other -> usdPerHour(other, job, open) > its)
        .min(Comparator.comparingDouble(other -> price(other, job, open)))
        .flatMap(other -> zone(other, job).flatMap(zone -> lostWork.text(other, zone, job.job())));
  }

  /**
   * Where machines of the pool are asked for: the allowed zone with the fewest refusals, and of
   * those the one with least lost work; ties go to the file's order.
   *
   * @param job that wants them; empty for warm ones
   */
  Optional<String> zone(PoolSpec pool, Optional<JobDemand> job, Predicate<String> allowed) {
    return zoneAvailability.bestZone(
        cluster, pool, allowed, zone -> job.map(it -> lost(pool, zone, it)).orElse(1.0));
  }

  private double lost(PoolSpec pool, String zone, JobDemand job) {
    return lostWork.factor(pool, zone, job.job());
  }

  private double usdPerHour(PoolSpec pool, JobDemand job, long open) {
    var price = price(pool, job, open);
    if (price == Double.MAX_VALUE) return price;
    var zone = zone(pool, job);
    var kept = zone.map(it -> lost(pool, it, job)).orElse(1.0);
    return price * kept * (1 + remembered(pool, zone));
  }

  private double price(PoolSpec pool, JobDemand job, long open) {
    if (Feasibility.why(job.need(), job.place(), pool).isPresent()) return Double.MAX_VALUE;
    return PoolPrice.usdPerHour(cluster.spec(), pool)
        .map(usd -> usd * UnmetDemand.needed(pool, job, open))
        .orElse(Double.MAX_VALUE);
  }

  /** Where it is asked; of zones that may not be asked now, the one with least against it. */
  private Optional<String> zone(PoolSpec pool, JobDemand job) {
    var placement = job.place();
    return zone(pool, Optional.of(job), placement::allowsZone)
        .or(() ->
            pool.zones().stream()
                .filter(placement::allowsZone)
                .min(
                    Comparator.<String>comparingDouble(
                            zone -> zoneAvailability.score(cluster, pool, zone))
                        .thenComparingDouble(zone -> lost(pool, zone, job))));
  }

  /** What its zone weighs, and what leaves now. */
  private double remembered(PoolSpec pool, Optional<String> zone) {
    var known = zone.map(it -> zoneAvailability.score(cluster, pool, it)).orElse(0.0);
    var leaves = ZoneAvailability.SHORT_LIVED * leaving.getOrDefault(pool.name(), 0);
    return Math.min(MOST, known + leaves);
  }
}
