package dev.mayfly.core.plan.spending;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.model.UnaskedAccelerators;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Optional;
import java.util.function.Predicate;

/** What a job may buy that it does not ask for. */
public final class UnaskedPurchases {
  private UnaskedPurchases() {}

  /**
   * What a job may buy besides that it does not ask for, for its author; empty if it has no other
   * pools.
   */
  public static Optional<InputError> of(JobSpec job, ClusterSpec cluster) {
    Predicate<PoolSpec> unasked = pool -> UnaskedAccelerators.has(pool, job.resources());
    var open = cluster.pools().stream().filter(pool -> Feasibility.mayRun(job, pool)).toList();
    var plain = open.stream().filter(unasked.negate()).map(PoolSpec::family).distinct().toList();
    var names = open.stream().filter(unasked).map(pool -> named(pool, cluster)).toList();
    if (plain.isEmpty() || names.isEmpty()) return Optional.empty();
    return Optional.of(
        new InputError(
            "pools",
            "may also buy machines with GPUs or TPUs, which it does not ask for, when other pools are full: %s; name its pools to keep it off: pools: [%s]"
                .formatted(String.join(", ", names), String.join(", ", plain))));
  }

  private static String named(PoolSpec pool, ClusterSpec cluster) {
    var price = PoolPrice.usdPerHour(cluster, pool).filter(usd -> usd > 0);
    return "pool %s (%s%s)"
        .formatted(
            pool.name(),
            pool.machineType(),
            price.map(usd -> ", " + HumanAmounts.usd(usd) + " an hour").orElse(""));
  }
}
