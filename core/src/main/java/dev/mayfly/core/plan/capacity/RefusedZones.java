package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Zones that refused machines lately. Such a zone is asked for one gang's machines at a time, and
 * then for as many more as have become ready there since: what it has for one gang it may not have
 * for all, and machines of half gangs are ordered and deleted for nothing.
 */
public final class RefusedZones {
  private final ClusterSnapshot clusterSnapshot;
  private final ZoneAvailability zoneAvailability;

  public RefusedZones(ClusterSnapshot clusterSnapshot, ZoneAvailability zoneAvailability) {
    this.clusterSnapshot = clusterSnapshot;
    this.zoneAvailability = zoneAvailability;
  }

  /**
   * How many more machines may be in flight there for gangs of a size; unlimited if the zone
   * refused none lately.
   *
   * @param planned those that this plan launches there
   */
  public int may(PoolSpec pool, String zone, int gang, int planned) {
    var refused = zoneAvailability.lastRefusal(pool, zone);
    if (refused.isEmpty()) return Integer.MAX_VALUE;
    var coming = count(pool, zone, w -> w.state().live() && !DrainPlanner.isReady(w));
    var proved = count(pool, zone, w -> DrainPlanner.isReady(w) && since(w, refused.get().at()));
    return (int) Math.max(0, Math.max(gang, proved) - coming - planned);
  }

  /**
   * The same for machines of single tasks: one at a time, and then as many as came, while only room
   * that came back allows to ask at all.
   */
  public int mayReopened(PoolSpec pool, String zone, int planned) {
    return zoneAvailability.isReopened(pool, zone)
        ? may(pool, zone, 1, planned)
        : Integer.MAX_VALUE;
  }

  /** Why no more are in flight there. */
  public Optional<ZoneVeto.Refused> why(PoolSpec pool, String zone) {
    return zoneAvailability.lastRefusal(pool, zone);
  }

  private static boolean since(Worker worker, Instant at) {
    return worker.createdAt().isAfter(at);
  }

  private long count(PoolSpec pool, String zone, Predicate<Worker> which) {
    return clusterSnapshot.workers().stream()
        .filter(w -> w.pool().equals(pool.name()) && w.zone().equals(zone))
        .filter(which)
        .count();
  }
}
