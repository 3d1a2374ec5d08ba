package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.HourlyPrice;
import dev.mayfly.core.catalog.MachinePrices;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import java.util.Comparator;
import java.util.Optional;

/**
 * What machines may cost an hour at most, and why that needs a confirmation. A price is that of the
 * cluster's budget, or the catalog's list price. Reserved machines and those of one's own cost
 * nothing more.
 */
public final class PossibleCost {
  private PossibleCost() {}

  /** Why these pools need a confirmation; empty if their most machines may be had without. */
  public static Optional<String> whyConfirm(ClusterSpec cluster) {
    var most = cluster.limit().confirmUsdPerHour();
    if (most.isEmpty()) return Optional.empty();
    for (var pool : cluster.pools())
      if (pool.max() > 0 && usdPerHour(cluster, pool).isEmpty())
        return Optional.of(
            "pool %s: the price of %s (%s) is not known, and the cluster's limits ask for a confirmation above $%s an hour"
                .formatted(
                    pool.name(),
                    pool.machineType(),
                    pool.provisioning().word(),
                    HourlySpending.usd(most.get())));
    var cost = of(cluster);
    return cost <= most.get() + HourlySpending.CENTS
        ? Optional.empty()
        : Optional.of(
            "its pools at their maximum cost $%s an hour, above the $%s (limits.confirmUsdPerHour) that need no confirmation"
                .formatted(HourlySpending.usd(cost), HourlySpending.usd(most.get())));
  }

  /** What all pools cost at their maximum, as far as their prices are known. */
  public static double of(ClusterSpec cluster) {
    return cluster.pools().stream()
        .mapToDouble(pool -> pool.max() * usdPerHour(cluster, pool).orElse(0.0))
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
    return cost <= most.get() + HourlySpending.CENTS
        ? Optional.empty()
        : Optional.of(
            "its tasks may use machines of $%s an hour at once, above the $%s (limits.confirmUsdPerHour of the cluster) that need no confirmation"
                .formatted(HourlySpending.usd(cost), HourlySpending.usd(most.get())));
  }

  /** What the machines cost that the tasks fill, those with the dearest slots first. */
  private static double of(JobSpec job, long tasks, ClusterSpec cluster) {
    var pools =
        cluster.pools().stream()
            .filter(pool -> Feasibility.mayRun(job, pool))
            .map(pool ->
                new Slots(
                    usdPerHour(cluster, pool).orElse(0.0),
                    job.gang() > 1 ? 1 : Math.max(1, pool.visible().slots(job.resources())),
                    pool.max()))
            .sorted(Comparator.comparingDouble(Slots::each).reversed())
            .toList();
    var left = tasks * Math.max(1, job.gang());
    var sum = 0.0;
    for (var pool : pools) {
      var machines = Math.min(pool.max(), (left + pool.perMachine() - 1) / pool.perMachine());
      sum += machines * pool.price();
      left -= machines * pool.perMachine();
    }
    return sum;
  }

  /**
   * The room of one pool.
   *
   * @param perMachine tasks that run on one machine at once
   */
  private record Slots(double price, long perMachine, int max) {
    double each() {
      return price / perMachine;
    }
  }

  /**
   * What one machine of a pool costs an hour, or all hosts of a slice: the budget's price,
   * otherwise the list price; 0 for reserved machines and those of one's own, empty if neither is
   * known.
   */
  public static Optional<Double> usdPerHour(ClusterSpec cluster, PoolSpec pool) {
    var how = pool.provisioning();
    if (how == Provisioning.RESERVED || how == Provisioning.STATIC) return Optional.of(0.0);
    return cluster
        .budget()
        .flatMap(budget -> budget.price(pool.machineType(), how))
        .or(() -> listPrice(pool).map(HourlyPrice::usd));
  }

  /**
   * The catalog's price of one machine of a pool, its GPUs and, as far as its price is known, its
   * boot disk included; empty if it has none.
   */
  public static Optional<HourlyPrice> listPrice(PoolSpec pool) {
    var gpu = pool.machine().gpu();
    var machine =
        gpu.isPresent()
            ? MachinePrices.of(
                pool.machineType(), pool.provisioning(), gpu.get().type(), gpu.get().count())
            : MachinePrices.of(pool.machineType(), pool.provisioning());
    var disk = BootDisk.of(pool).flatMap(BootDisk::price);
    return machine.map(price -> disk.map(price::plus).orElse(price));
  }
}
