package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a cluster's machines cost an hour beside what they may. Every worker that is not gone
 * counts, also one that drains or is lost: its machine is paid for until it is proved gone.
 */
public final class HourlySpending {
  /** Prices are sums of decimal fractions. */
  static final double CENTS = 1e-6;

  /** What happens above the budget. */
  private static final String ENDS =
      "machines that no task needs end, and running tasks continue; lower workers.max to end"
          + " busy machines too";

  private final Optional<HourlyBudget> budget;
  private double spent;

  HourlySpending(ClusterSnapshot clusterSnapshot) {
    budget = clusterSnapshot.cluster().spec().budget();
    budget.ifPresent(b -> {
      for (var worker : clusterSnapshot.workers()) spent += price(b, worker);
      clusterSnapshot
          .unknown()
          .forEach((pool, n) ->
              clusterSnapshot.cluster().spec().pool(pool).ifPresent(p -> spent += n * price(b, p)));
    });
  }

  /** What all workers cost an hour. */
  static double of(HourlyBudget budget, List<Worker> workers) {
    return workers.stream().mapToDouble(w -> price(budget, w)).sum();
  }

  /** Says that these workers cost more than the budget, if they do. */
  public static Optional<String> whyOverBudget(HourlyBudget budget, List<Worker> workers) {
    var spent = of(budget, workers);
    if (spent <= budget.usdPerHour() + CENTS) return Optional.empty();
    return Optional.of(
        "its machines cost $%s an hour, above the budget of $%s; %s"
            .formatted(usd(spent), usd(budget.usdPerHour()), ENDS));
  }

  /** How much more is spent than may be; negative where there is money left. */
  double excess() {
    return budget.map(b -> spent - b.usdPerHour()).orElse(Double.NEGATIVE_INFINITY);
  }

  static double price(HourlyBudget budget, Worker worker) {
    return budget.price(worker.machineType(), worker.provisioning()).orElseGet(budget::highest);
  }

  private static double price(HourlyBudget budget, PoolSpec pool) {
    return budget.price(pool.machineType(), pool.provisioning()).orElseGet(budget::highest);
  }

  /** How many machines of the pool there is money for, {@code wanted} at most. */
  int may(PoolSpec pool, int wanted) {
    if (budget.isEmpty() || wanted <= 0) return wanted;
    var price = budget.get().price(pool.machineType(), pool.provisioning());
    if (price.isEmpty()) return 0;
    var left = budget.get().usdPerHour() - spent + CENTS;
    if (price.get() <= 0 || left >= price.get() * wanted) return wanted;
    return (int) Math.max(0, Math.floor(left / price.get()));
  }

  void take(PoolSpec pool, int machines) {
    budget.ifPresent(b -> spent += machines * price(b, pool));
  }

  /** Why there is money for no more of them, once so many are bought. */
  Optional<String> why(PoolSpec pool, int bought) {
    if (budget.isEmpty()) return Optional.empty();
    var b = budget.get();
    var price = b.price(pool.machineType(), pool.provisioning());
    if (price.isEmpty())
      return Optional.of(
          "pool %s: budget.prices of the cluster has no price for %s, and nothing is bought unpriced; add it"
              .formatted(pool.name(), pool.machineType()));
    var above = spent > b.usdPerHour() + CENTS ? "; " + ENDS : "";
    return Optional.of(
        "the cluster's budget is $%s an hour: its machines cost $%s, and one more of pool %s $%s%s"
            .formatted(
                usd(b.usdPerHour()),
                usd(spent + bought * price.get()),
                pool.name(),
                usd(price.get()),
                above));
  }

  static String usd(double amount) {
    return String.format(Locale.ROOT, "%.2f", amount);
  }
}
