package dev.mayfly.core.plan.spending;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.budget.HourlySpending;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What machines may cost an hour at most, and why that needs a confirmation. Prices are those of
 * {@link PoolPrice}.
 */
public final class PossibleCost {
  private PossibleCost() {}

  /** Why these pools need a confirmation; empty if their most machines may be had without. */
  public static Optional<String> whyConfirm(ClusterSpec cluster) {
    var most = cluster.limit().confirmUsdPerHour();
    if (most.isEmpty()) return Optional.empty();
    for (var pool : cluster.pools())
      if (pool.max() > 0 && PoolPrice.usdPerHour(cluster, pool).isEmpty())
        return Optional.of(
            "pool %s: the price of %s (%s) is not known, and the cluster's limits ask for a confirmation above %s an hour"
                .formatted(
                    pool.name(),
                    pool.machineType(),
                    pool.provisioning().word(),
                    HumanAmounts.exactUsd(most.get())));
    var cost = of(cluster);
    return cost <= most.get() + HourlySpending.PRICE_TOLERANCE
        ? Optional.empty()
        : Optional.of(
            "its pools at their maximum cost %s an hour, above the %s (limits.confirmUsdPerHour) that need no confirmation"
                .formatted(HumanAmounts.exactUsd(cost), HumanAmounts.exactUsd(most.get())));
  }

  /**
   * What all pools cost at their maximum, as far as their prices are known: that of the dearest
   * type where a pool chooses.
   */
  public static double of(ClusterSpec cluster) {
    return cluster.pools().stream()
        .collect(
            Collectors.toMap(
                PoolSpec::family,
                pool -> pool.max() * PoolPrice.usdPerHour(cluster, pool).orElse(0.0),
                Math::max))
        .values()
        .stream()
        .mapToDouble(Double::doubleValue)
        .sum();
  }

  /** Why a job of so many tasks needs a confirmation; empty if it needs none. */
  public static Optional<String> whyConfirm(JobSpec job, long tasks, ClusterSpec cluster) {
    var limits = cluster.limit();
    if (limits.confirmTasks().filter(most -> tasks > most).isPresent())
      return Optional.of(
          "it has %,d tasks, above the %,d (limits.confirmTasks of the cluster) that need no confirmation"
              .formatted(tasks, limits.confirmTasks().get()));
    var most = limits.confirmUsdPerHour();
    if (most.isEmpty()) return Optional.empty();
    var cost = of(job, tasks, cluster);
    return cost <= most.get() + HourlySpending.PRICE_TOLERANCE
        ? Optional.empty()
        : Optional.of(
            "its tasks may use machines of %s an hour at once, above the %s (limits.confirmUsdPerHour of the cluster) that need no confirmation"
                .formatted(HumanAmounts.exactUsd(cost), HumanAmounts.exactUsd(most.get())));
  }

  /** What the machines cost that the tasks fill, those with the dearest slots first. */
  private static double of(JobSpec job, long tasks, ClusterSpec cluster) {
    var pools =
        cluster.pools().stream()
            .filter(pool -> Feasibility.mayRun(job, pool))
            .map(pool ->
                new Slots(
                    pool.family(),
                    PoolPrice.usdPerHour(cluster, pool).orElse(0.0),
                    job.gang() > 1 ? 1 : Math.max(1, pool.visible().slots(job.resources())),
                    pool.max()))
            .sorted(Comparator.comparingDouble(Slots::each).reversed())
            .toList();
    var left = tasks * Math.max(1, job.gang());
    var sum = 0.0;
    var used = new HashMap<String, Long>();
    for (var pool : pools) {
      var room = Math.max(0, pool.max() - used.getOrDefault(pool.family(), 0L));
      var machines = Math.min(room, Math.ceilDiv(left, pool.perMachine()));
      used.merge(pool.family(), machines, Long::sum);
      sum += machines * pool.price();
      left = Math.max(0, left - machines * pool.perMachine());
    }
    return sum;
  }

  /**
   * The room of one pool.
   *
   * @param perMachine tasks that run on one machine at once
   */
  private record Slots(String family, double price, long perMachine, int max) {
    double each() {
      return price / perMachine;
    }
  }
}
