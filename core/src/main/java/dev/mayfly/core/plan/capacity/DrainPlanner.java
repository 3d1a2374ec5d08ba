package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.budget.MonthlySpending;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides which workers must end regardless of demand, and why. */
public final class DrainPlanner {
  private static final DrainReason DOWN =
      new DrainReason(DrainCause.CLUSTER_DOWN, "the cluster is taken down");

  private DrainPlanner() {}

  /** Every worker of a cluster that goes down; draining workers again, for a shorter deadline. */
  public static List<PlanDecision> all(ClusterSnapshot clusterSnapshot) {
    return clusterSnapshot.workers().stream()
        .filter(w -> w.state().live() || w.state() instanceof WorkerState.Draining)
        .map(w -> (PlanDecision) new PlanDecision.Drain(w.name(), DOWN))
        .toList();
  }

  /**
   * Workers that no longer match the spec, exceed it, can run no task, or are near the end of their
   * life.
   */
  public static Map<String, PlanDecision.Drain> unwanted(ClusterSnapshot clusterSnapshot) {
    var drains = RollingReplacement.drains(clusterSnapshot);
    for (var worker : clusterSnapshot.workers())
      if (worker.state().live())
        clusterSnapshot
            .cluster()
            .spec()
            .pool(worker.pool())
            .filter(DrainPlanner::isBought)
            .flatMap(_ -> unfit(clusterSnapshot, worker))
            .ifPresent(drain -> drains.put(worker.name(), drain));
    drains.putAll(EndOfLifeDrains.drains(clusterSnapshot, drains.keySet()));
    SliceLimits.reshaped(clusterSnapshot).forEach(drain -> drains.put(drain.worker(), drain));
    drains.putAll(SliceLimits.tooMany(clusterSnapshot, drains.keySet()));
    for (var pool : clusterSnapshot.cluster().spec().pools())
      if (isBought(pool)) drains.putAll(tooMany(clusterSnapshot, pool, drains.keySet()));
    monthUsedUp(clusterSnapshot).forEach(drains::putIfAbsent);
    return drains;
  }

  /** Whether plans launch and drain the pool's machines: neither manual nor static. */
  public static boolean isBought(PoolSpec pool) {
    return !pool.manual() && pool.provisioning() != Provisioning.STATIC;
  }

  private static Optional<PlanDecision.Drain> unfit(
      ClusterSnapshot clusterSnapshot, Worker worker) {
    if (!ClusterInventory.isUnfit(clusterSnapshot, worker)
        || !isIdle(worker)
        || ClusterInventory.isCordoned(clusterSnapshot, worker)) return Optional.empty();
    return worker
        .unfit()
        .map(lacks -> new DrainReason(DrainCause.UNFIT, "it can run no task: " + lacks))
        .map(reason -> new PlanDecision.Drain(worker.name(), reason));
  }

  /**
   * Workers beyond the pool's lowered maximum: first those not ready yet and idle ones, then those
   * with the fewest leases, the youngest first. Running tasks may continue for as long as in a
   * replacement of the pool.
   */
  private static Map<String, PlanDecision.Drain> tooMany(
      ClusterSnapshot clusterSnapshot, PoolSpec pool, Set<String> ending) {
    var drains = new LinkedHashMap<String, PlanDecision.Drain>();
    var live =
        clusterSnapshot.workers().stream()
            .filter(w -> PoolSpec.family(w.pool()).equals(pool.family()) && w.state().live())
            .filter(w -> !ending.contains(w.name()))
            .sorted(
                Comparator.comparing(
                        (Worker w) -> isReady(w) && !ClusterInventory.isUnfit(clusterSnapshot, w))
                    .thenComparing(
                        w -> !isIdle(w) || ClusterInventory.isCordoned(clusterSnapshot, w))
                    .thenComparing(w -> w.held().size())
                    .thenComparing(Worker::createdAt, Comparator.reverseOrder())
                    .thenComparing(Worker::name))
            .toList();
    var until =
        Optional.of(
            clusterSnapshot.now().plus(clusterSnapshot.cluster().spec().rollout().within()));
    var reason =
        new DrainReason(
            DrainCause.MAXIMUM_LOWERED,
            "the maximum was lowered: workers.max is " + pool.max() + " now");
    for (var w : live.subList(0, Math.max(0, live.size() - pool.max())))
      drains.put(w.name(), new PlanDecision.Drain(w.name(), reason, until));
    return drains;
  }

  /**
   * All machines by the hour, once the month's money is enough for no more than their end. Running
   * tasks may continue as they may above a lowered maximum.
   */
  private static Map<String, PlanDecision.Drain> monthUsedUp(ClusterSnapshot clusterSnapshot) {
    var spending = new MonthlySpending(clusterSnapshot);
    var usedUp = spending.usedUp();
    var drains = new LinkedHashMap<String, PlanDecision.Drain>();
    if (usedUp.isEmpty()) return drains;
    var until = Optional.of(clusterSnapshot.now().plus(spending.tasksEnd()));
    var reason =
        new DrainReason(
            DrainCause.OVER_BUDGET,
            "of the cluster's budget of %s a month %s are spent, and the rest is for the end of its machines"
                .formatted(
                    HumanAmounts.usd(usedUp.get().usdPerMonth()),
                    HumanAmounts.usd(usedUp.get().spent())));
    for (var worker : clusterSnapshot.workers()) {
      var pool = clusterSnapshot.cluster().spec().pool(worker.pool());
      if (worker.state().live() && pool.map(DrainPlanner::isBought).orElse(true))
        if (spending.costs(worker))
          drains.put(worker.name(), new PlanDecision.Drain(worker.name(), reason, until));
    }
    return drains;
  }

  public static boolean isReady(Worker worker) {
    return worker.state() instanceof WorkerState.Ready;
  }

  public static boolean isIdle(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Ready r -> r.idleSince().isPresent() && worker.held().isEmpty();
      default -> true;
    };
  }

  /**
   * Whether it has been idle for longer than its pool allows. A reserved machine is paid for anyway
   * and may stay idle for ever; a cordoned one is looked at.
   */
  public static boolean isSpare(ClusterSnapshot clusterSnapshot, Worker worker) {
    if (!(worker.state() instanceof WorkerState.Ready ready) || !isIdle(worker)) return false;
    if (ClusterInventory.isCordoned(clusterSnapshot, worker)) return false;
    if (worker.provisioning() == Provisioning.STATIC
        || worker.provisioning() == Provisioning.RESERVED) return false;
    var pool = clusterSnapshot.cluster().spec().pool(worker.pool());
    return pool.isPresent()
        && !ready
            .idleSince()
            .orElseThrow()
            .plus(pool.get().idleAfter())
            .isAfter(clusterSnapshot.now());
  }

  public static Instant idleSince(Worker worker) {
    return worker.state() instanceof WorkerState.Ready r
        ? r.idleSince().orElse(r.since())
        : worker.createdAt();
  }

  /** Live workers by pool, in the given order. */
  public static Map<String, List<Worker>> byPool(
      ClusterSnapshot clusterSnapshot, Set<String> excluded) {
    var pools = new HashMap<String, List<Worker>>();
    for (var worker : clusterSnapshot.workers())
      if (worker.state().live() && !excluded.contains(worker.name()))
        pools.computeIfAbsent(worker.pool(), _ -> new ArrayList<>()).add(worker);
    return pools;
  }
}
