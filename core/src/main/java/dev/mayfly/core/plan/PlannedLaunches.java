package dev.mayfly.core.plan;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Room;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Use;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.SliceLimits;
import dev.mayfly.core.plan.capacity.UnfitPools;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.catalog.TpuTypes;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The machines that a plan launches, and how many more there may be. */
final class PlannedLaunches {
  private final Cluster cluster;
  private final ZoneAvailability zoneAvailability;
  private final UnfitPools unfit;
  private final SliceLimits tpus;
  private final HourlySpending hourlySpending;
  private final Map<String, Integer> counted;
  private final Map<String, Integer> live;
  private final Map<ClusterCapacity.Site, What> launches = new LinkedHashMap<>();
  private final Map<String, Optional<UnfitPools.Limit>> limits = new HashMap<>();
  private final Map<String, Integer> tried = new HashMap<>();
  private int left = Planner.LAUNCHES;

  PlannedLaunches(
      ClusterSnapshot clusterSnapshot,
      ZoneAvailability zoneAvailability,
      ClusterInventory clusterInventory) {
    cluster = clusterSnapshot.cluster();
    this.zoneAvailability = zoneAvailability;
    unfit = new UnfitPools(clusterSnapshot, zoneAvailability);
    tpus = new SliceLimits(clusterSnapshot);
    hourlySpending = new HourlySpending(clusterSnapshot);
    counted = clusterInventory.counted();
    live = clusterInventory.live();
  }

  private record What(int count, List<String> reasons) {
    What plus(int more, String reason) {
      var all = new ArrayList<>(reasons);
      if (all.size() < 5 && !reason.isEmpty()) all.add(reason);
      return new What(count + more, all);
    }

    PlanDecision.Launch at(ClusterCapacity.Site site) {
      return new PlanDecision.Launch(site.pool(), site.zone(), count, String.join("; ", reasons));
    }
  }

  List<PlanDecision> decisions() {
    var planDecisions = new ArrayList<PlanDecision>();
    launches.forEach((site, what) -> planDecisions.add(what.at(site)));
    return planDecisions;
  }

  /** Workers of the pool that count towards its minimum. */
  int live(PoolSpec pool) {
    return live.getOrDefault(pool.name(), 0);
  }

  /** How many more workers the pool may have. */
  int room(PoolSpec pool) {
    return pool.max() - counted.getOrDefault(pool.name(), 0);
  }

  /** How many machines of the pool the zone may be asked for now, a round's limit aside. */
  int may(PoolSpec pool, String zone) {
    if (!DrainPlanner.isBought(pool) || !zoneAvailability.mayAsk(cluster, pool, zone)) return 0;
    var room = Math.max(0, room(pool));
    var most = Math.min(room, limit(pool).map(l -> l.most() - tried(pool)).orElse(room));
    return hourlySpending.may(pool, most);
  }

  private int tried(PoolSpec pool) {
    return tried.getOrDefault(pool.name(), 0);
  }

  Optional<UnfitPools.Limit> limit(PoolSpec pool) {
    return limits.computeIfAbsent(pool.name(), _ -> unfit.limit(pool));
  }

  /** Launches as many of {@code wanted} as may be in the best zone, and says why not all. */
  Optional<Room> launch(
      PoolSpec pool, Placement placement, int wanted, String reason, List<String> vetoes) {
    var n = most(pool, wanted, vetoes);
    if (n <= 0) return Optional.empty();
    var zone = zoneAvailability.bestZone(cluster, pool, placement);
    if (zone.isEmpty()) {
      vetoes.addAll(zoneAvailability.vetoes(cluster, pool, placement));
      return Optional.empty();
    }
    return Optional.of(launch(pool, zone.get(), n, reason));
  }

  /** The same in that zone, which may be asked. */
  int launchIn(PoolSpec pool, String zone, int wanted, List<String> vetoes) {
    var n = most(pool, wanted, vetoes);
    if (n > 0) launch(pool, zone, n, "");
    return Math.max(0, n);
  }

  /** Says what the machines that were launched there are for. */
  void because(PoolSpec pool, String zone, String reason) {
    launches.computeIfPresent(
        new ClusterCapacity.Site(pool.name(), zone), (_, w) -> w.plus(0, reason));
  }

  private int most(PoolSpec pool, int wanted, List<String> vetoes) {
    // Of a slice by hand, what drains holds back the chips, and counts by them.
    var room = pool.manual() ? wanted : room(pool);
    var n = Math.min(wanted, Math.min(room, left));
    if (room < wanted)
      vetoes.add(
          "pool %s may have %d workers and has %d"
              .formatted(pool.name(), pool.max(), counted.getOrDefault(pool.name(), 0)));
    else if (left < wanted)
      vetoes.add("a round launches %d machines; the next goes on".formatted(Planner.LAUNCHES));
    var limit = n > 0 ? limit(pool) : Optional.<UnfitPools.Limit>empty();
    if (limit.isPresent() && limit.get().most() - tried(pool) < n) {
      vetoes.add(limit.get().why());
      n = limit.get().most() - tried(pool);
    }
    return n > 0 ? tpus.may(pool, affordable(pool, n, vetoes), vetoes) : n;
  }

  private int affordable(PoolSpec pool, int wanted, List<String> vetoes) {
    var n = hourlySpending.may(pool, wanted);
    if (n < wanted) hourlySpending.why(pool, n).ifPresent(vetoes::add);
    return n;
  }

  /** Why the cluster's budget has no room for so many more; empty if it has. */
  Optional<String> tooDear(PoolSpec pool, int wanted) {
    return hourlySpending.may(pool, wanted) < wanted
        ? hourlySpending.why(pool, 0)
        : Optional.empty();
  }

  private Room launch(PoolSpec pool, String zone, int n, String reason) {
    counted.merge(pool.name(), n, Integer::sum);
    tried.merge(pool.name(), n, Integer::sum);
    left -= n;
    tpus.take(pool, n);
    hourlySpending.take(pool, n);
    var site = new ClusterCapacity.Site(pool.name(), zone);
    launches.put(site, launches.getOrDefault(site, new What(0, List.of())).plus(n, reason));
    var at = new ClusterCapacity.At(pool.name(), zone, "");
    var slice = !TpuTypes.isOneHost(pool.machineType());
    return new Room(at, FreeResources.of(pool.visible()), Use.IN_FLIGHT, n, slice);
  }
}
