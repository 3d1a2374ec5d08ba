package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The hourly cost of a cluster's machines, compared with the budget. Every worker that is not GONE
 * counts, including draining and lost ones: a machine is paid for until it is proved gone.
 */
public final class HourlySpending {
  /** Tolerance for rounding: prices are sums of decimal fractions. */
  static final double CENTS = 1e-6;

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

  static double of(HourlyBudget budget, List<Worker> workers) {
    return workers.stream().mapToDouble(w -> price(budget, w)).sum();
  }

  /** Why these workers exceed the budget; empty if they do not. */
  public static Optional<String> whyOverBudget(HourlyBudget budget, List<Worker> workers) {
    var spent = of(budget, workers);
    if (spent <= budget.usdPerHour() + CENTS) return Optional.empty();
    return Optional.of(
        "its machines cost $%s an hour, above the budget of $%s; %s"
            .formatted(usd(spent), usd(budget.usdPerHour()), ENDS));
  }

  /** How much the cost exceeds the budget; negative below the budget. */
  double excess() {
    return budget.map(b -> spent - b.usdPerHour()).orElse(Double.NEGATIVE_INFINITY);
  }

  static double price(HourlyBudget budget, Worker worker) {
    return budget.price(worker.machineType(), worker.provisioning()).orElseGet(budget::highest);
  }

  private static double price(HourlyBudget budget, PoolSpec pool) {
    return budget.price(pool.machineType(), pool.provisioning()).orElseGet(budget::highest);
  }

  /** How many machines of the pool the budget allows; at most {@code wanted}. */
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

  /** Why the budget allows no more machines of the pool, after {@code bought} more. */
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
