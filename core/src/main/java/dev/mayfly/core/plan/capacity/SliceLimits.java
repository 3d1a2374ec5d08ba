package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.Allowance;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * TPU limits beyond a pool's own, in a plan in progress: the project's creations per minute, and
 * the chips of manual slices.
 *
 * <p>A manual slice is requested only when it and its predecessors that are not proved gone have
 * together no more chips than the slice is meant to have: a predecessor still holds the
 * reservation's chips.
 */
public final class SliceLimits {
  private final Map<String, Long> chips = new HashMap<>();
  private int creations;

  public SliceLimits(ClusterSnapshot clusterSnapshot) {
    creations = clusterSnapshot.tpuCreations();
    for (var worker : clusterSnapshot.workers())
      chips.merge(worker.pool(), chips(worker.machineType()), Long::sum);
    for (var pool : clusterSnapshot.cluster().spec().pools())
      chips.merge(
          pool.name(),
          clusterSnapshot.unknown().getOrDefault(pool.name(), 0) * chips(pool.machineType()),
          Long::sum);
  }

  /** How many of {@code wanted} may be requested now. */
  public Allowance may(PoolSpec pool, int wanted) {
    var each = chips(pool.machineType());
    var allowance = Allowance.all(wanted);
    if (each == 0) return allowance;
    if (pool.manual()) {
      var why = new PoolVeto.ChipsInUse(pool.name(), each * pool.max(), used(pool));
      allowance = allowance.atMost((int) Math.min(wanted, fitting(pool)), why);
    }
    return allowance.atMost(
        Math.max(0, creations), new PoolVeto.CreationRate(pool.name(), creations));
  }

  /** Counts {@code n} launches. */
  public void take(PoolSpec pool, int n) {
    var each = chips(pool.machineType());
    if (each == 0) return;
    creations -= n;
    chips.merge(pool.name(), n * each, Long::sum);
  }

  private long fitting(PoolSpec pool) {
    var each = chips(pool.machineType());
    return each == 0 ? pool.max() : Math.max(0, each * pool.max() - used(pool)) / each;
  }

  private long used(PoolSpec pool) {
    return chips.getOrDefault(pool.name(), 0L);
  }

  private static long chips(String type) {
    return TpuTypes.of(type).map(t -> (long) t.chips()).orElse(0L);
  }

  /** Workers of manual slices whose type has changed; they end at once, even if busy. */
  static List<PlanDecision.Drain> reshaped(ClusterSnapshot clusterSnapshot) {
    var drains = new ArrayList<PlanDecision.Drain>();
    for (var worker : clusterSnapshot.workers())
      if (worker.state().live())
        clusterSnapshot
            .cluster()
            .spec()
            .pool(worker.pool())
            .filter(pool -> pool.manual() && !pool.machineType().equals(worker.machineType()))
            .map(pool ->
                "slice reshaped: it has %s now, not %s"
                    .formatted(pool.machineType(), worker.machineType()))
            .map(why -> new DrainReason(DrainCause.SLICE_CHANGED, why))
            .ifPresent(why -> drains.add(new PlanDecision.Drain(worker.name(), why)));
    return drains;
  }

  /**
   * Workers of manual slices beyond their number: idle ones first, then the youngest.
   *
   * @param ending workers that end anyway
   */
  static Map<String, PlanDecision.Drain> tooMany(
      ClusterSnapshot clusterSnapshot, Set<String> ending) {
    var drains = new LinkedHashMap<String, PlanDecision.Drain>();
    for (var pool : clusterSnapshot.cluster().spec().pools()) {
      if (!pool.manual()) continue;
      var live =
          clusterSnapshot.workers().stream()
              .filter(w -> w.pool().equals(pool.name()) && w.state().live())
              .filter(w -> !ending.contains(w.name()))
              .sorted(
                  Comparator.comparing(DrainPlanner::isIdle)
                      .thenComparing(Worker::createdAt)
                      .thenComparing(Worker::name))
              .toList();
      var why =
          new DrainReason(
              DrainCause.SLICE_CHANGED,
              pool.max() == 0 ? "slice deleted" : "slice reshaped: it has fewer machines now");
      for (var worker : live.subList(Math.min(pool.max(), live.size()), live.size()))
        drains.put(worker.name(), new PlanDecision.Drain(worker.name(), why));
    }
    return drains;
  }
}
