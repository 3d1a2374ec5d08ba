package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;

/** What one machine of a pool costs an hour. */
public final class PoolPrice {
  private PoolPrice() {}

  /**
   * What one machine costs, or all hosts of a slice: the budget's price, otherwise the list price;
   * 0 for reserved machines and those of one's own, empty if neither is known.
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
   * The same if its spot machines were had on demand. A budget's price of a type alone is that of
   * the machines that the pool has, and no list price is compared with it: then it is not known.
   */
  public static Optional<Double> usdPerHourOnDemand(ClusterSpec cluster, PoolSpec pool) {
    if (pool.provisioning() != Provisioning.SPOT) return usdPerHour(cluster, pool);
    var onDemand = Provisioning.ON_DEMAND;
    var written =
        cluster
            .budget()
            .map(budget -> budget.prices().get(pool.machineType() + "." + onDemand.word()));
    if (written.isPresent()) return written;
    var spot =
        cluster.budget().flatMap(budget -> budget.price(pool.machineType(), Provisioning.SPOT));
    return spot.isPresent() ? Optional.empty() : listPrice(pool, onDemand).map(HourlyPrice::usd);
  }

  /**
   * The catalog's price of one machine, its GPUs and, as far as its price is known, its boot disk
   * included; empty if it has none.
   */
  public static Optional<HourlyPrice> listPrice(PoolSpec pool) {
    return listPrice(pool, pool.provisioning());
  }

  private static Optional<HourlyPrice> listPrice(PoolSpec pool, Provisioning how) {
    var gpu = pool.machine().gpu();
    var machine =
        gpu.isPresent()
            ? MachinePrices.of(pool.machineType(), how, gpu.get().type(), gpu.get().count())
            : MachinePrices.of(pool.machineType(), how);
    var disk = BootDisk.of(pool).flatMap(BootDisk::price);
    return machine.map(price -> disk.map(price::plus).orElse(price));
  }
}
