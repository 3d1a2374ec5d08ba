package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.capacity.UnfitPools;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Why pools would get no machine now, whichever job asked: they are cordoned, their machines can
 * run no task, or every zone refuses them.
 */
public final class PoolCauses {
  private final ClusterSnapshot clusterSnapshot;
  private final ZoneAvailability zoneAvailability;
  private final UnfitPools unfitPools;

  private PoolCauses(ClusterSnapshot clusterSnapshot) {
    this.clusterSnapshot = clusterSnapshot;
    zoneAvailability = new ZoneAvailability(clusterSnapshot.stockouts(), clusterSnapshot.now());
    unfitPools = new UnfitPools(clusterSnapshot, zoneAvailability);
  }

  /**
   * Those of all pools, the root first.
   *
   * @param clusterSnapshot its jobs do not matter
   */
  public static List<Veto> of(ClusterSnapshot clusterSnapshot) {
    var causes = new PoolCauses(clusterSnapshot);
    var all = new ArrayList<Veto>();
    for (var pool : clusterSnapshot.cluster().spec().pools())
      if (pool.max() > 0 && pool.provisioning() != Provisioning.STATIC)
        causes.of(pool).forEach(all::add);
    return VetoOrder.sorted(all);
  }

  private Stream<Veto> of(PoolSpec pool) {
    var cluster = clusterSnapshot.cluster();
    var cordoned =
        cluster
            .cordon(pool.name(), clusterSnapshot.now())
            .map(it -> (Veto) new PoolVeto.Cordoned(pool.name(), it.until()));
    if (cordoned.isPresent()) return cordoned.stream();
    var unfit = unfitPools.limit(pool).map(UnfitPools.Limit::why);
    var refused =
        zoneAvailability.bestZone(cluster, pool, Placement.ANYWHERE::allowsZone, _ -> 0).isPresent()
            ? List.<Veto>of()
            : zoneAvailability.vetoes(cluster, pool, Placement.ANYWHERE);
    return Stream.concat(unfit.stream(), refused.stream());
  }
}
