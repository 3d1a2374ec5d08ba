package dev.mayfly.cli.document;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.catalog.Regions;
import dev.mayfly.core.catalog.StoragePrices;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.plan.SecretsInClear;
import dev.mayfly.core.plan.budget.MonthlySpending;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a cluster is allowed to say, and seldom means; what costs money without work, above all. */
public final class ClusterWarnings {
  private ClusterWarnings() {}

  /** The warnings, with paths in the cluster's document. */
  public static List<InputError> of(ClusterSpec cluster) {
    var all = new ArrayList<InputError>();
    for (var pool : cluster.pools()) {
      if (pool.provisioning() == Provisioning.STATIC) continue;
      idle(pool).ifPresent(all::add);
      unknownZones(pool).forEach(all::add);
      if (pool.max() == 0)
        all.add(
            warning(pool, "workers.max", "is 0, so it has no machine; raise it when it should"));
      cluster.hourlyBudget().flatMap(budget -> unaffordable(pool, budget)).ifPresent(all::add);
      cluster.usdPerMonth().flatMap(usd -> month(cluster, pool, usd)).ifPresent(all::add);
    }
    cluster.storages().forEach(storage -> price(storage).ifPresent(all::add));
    mirrors(cluster).forEach(all::add);
    all.addAll(BootImageWarnings.of(cluster));
    all.addAll(SecretsInClear.of(cluster.env()));
    all.addAll(UnkeyedFiles.of(cluster.setup()));
    return all;
  }

  /** What Terraform makes costs money as long as it exists, used or not. */
  private static Optional<InputError> price(StorageSpec storage) {
    if (!(storage.source() instanceof StorageSource.Filestore it)) return Optional.empty();
    return it.capacityGb()
        .map(gb -> {
          var price = StoragePrices.of(it.tier(), gb);
          return new InputError(
              "storage " + storage.name() + ": filestore",
              "costs about %s a month as long as it exists (%,d GB of %s; list price of %s, %s); Terraform makes it and needs storage_usd_per_month for that"
                  .formatted(
                      HumanAmounts.exactUsd(price.usd()),
                      gb,
                      it.tier(),
                      price.region(),
                      price.source().monthInWords()));
        });
  }

  /** Mirrors that no worker is near to. */
  private static List<InputError> mirrors(ClusterSpec cluster) {
    var regions =
        cluster.pools().stream()
            .flatMap(pool -> pool.zones().stream())
            .map(StorageLocation::region)
            .collect(Collectors.toSet());
    return cluster.mirrors().keySet().stream()
        .filter(region -> !regions.contains(region))
        .sorted()
        .map(region ->
            new InputError(
                "mirrors." + region,
                "no pool has a zone there, so nothing is pulled from it; check the region's name"))
        .toList();
  }

  /** Google opens zones, so that one which is not known may be right. */
  private static List<InputError> unknownZones(PoolSpec pool) {
    return pool.zones().stream()
        .filter(zone -> !Regions.isKnown(zone))
        .map(zone ->
            warning(
                pool,
                "zones",
                "'%s' is in none of Google's regions that Mayfly knows; check its name, for a zone that does not exist makes no machine"
                    .formatted(zone)))
        .toList();
  }

  private static Optional<InputError> idle(PoolSpec pool) {
    if (pool.min() == 0) return Optional.empty();
    var price =
        PoolPrice.listPrice(pool)
            .map(p -> ", about %s an hour".formatted(HumanAmounts.exactUsd(p.usd() * pool.min())))
            .orElse("");
    return Optional.of(
        warning(
            pool,
            "workers.min",
            "is %d: so many machines run without work too%s; write 0 to pay for work only"
                .formatted(pool.min(), price)));
  }

  private static Optional<InputError> unaffordable(PoolSpec pool, HourlyBudget budget) {
    var price = budget.price(pool.machineType(), pool.provisioning());
    if (price.filter(p -> p <= budget.usdPerHour()).isPresent()) return Optional.empty();
    return Optional.of(
        price
            .map(p ->
                warning(
                    pool,
                    "machine",
                    "costs %s an hour each, and the budget is %s, so none ever starts; raise budget.usdPerHour"
                        .formatted(
                            HumanAmounts.exactUsd(p), HumanAmounts.exactUsd(budget.usdPerHour()))))
            .orElseGet(() ->
                warning(
                    pool,
                    "machine",
                    "%s has no price in budget.prices, and machines without a price are not launched; add it"
                        .formatted(pool.machineType()))));
  }

  private static Optional<InputError> month(
      ClusterSpec cluster, PoolSpec pool, double usdPerMonth) {
    var price = PoolPrice.usdPerHour(cluster, pool);
    if (price.isEmpty())
      return Optional.of(
          warning(
              pool,
              "machine",
              "%s (%s) has no known price, and budget.usdPerMonth does not count machines without one; give it a price in budget.prices"
                  .formatted(pool.machineType(), pool.provisioning().word())));
    var atLeast = MonthlySpending.atLeast(cluster);
    if (price.get() * atLeast.toMinutes() / 60 <= usdPerMonth) return Optional.empty();
    return Optional.of(
        warning(
            pool,
            "machine",
            "costs %s an hour each, for %s at least, and the budget is %s a month, so none ever starts; raise budget.usdPerMonth"
                .formatted(
                    HumanAmounts.exactUsd(price.get()),
                    HumanDuration.exact(atLeast),
                    HumanAmounts.exactUsd(usdPerMonth))));
  }

  private static InputError warning(PoolSpec pool, String field, String message) {
    return new InputError("pool " + pool.name() + ": " + field, message);
  }
}
