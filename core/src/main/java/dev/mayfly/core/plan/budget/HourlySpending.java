package dev.mayfly.core.plan.budget;

import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.Allowance;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.List;
import java.util.Optional;

/**
 * The hourly cost of a cluster's machines, compared with the budget. Every worker that is not GONE
 * counts, including draining and lost ones: a machine is paid for until it is proved gone.
 */
public final class HourlySpending {
  public static final double PRICE_TOLERANCE = PoolVeto.PRICE_TOLERANCE;

  private final Optional<HourlyBudget> budget;
  private double spent;

  public HourlySpending(ClusterSnapshot clusterSnapshot) {
    budget = clusterSnapshot.cluster().spec().hourlyBudget();
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

  /** What these workers cost, if that exceeds the budget. */
  public static Optional<ClusterVeto.AboveBudget> aboveBudget(
      HourlyBudget budget, List<Worker> workers) {
    var spent = of(budget, workers);
    if (spent <= budget.usdPerHour() + PRICE_TOLERANCE) return Optional.empty();
    return Optional.of(new ClusterVeto.AboveBudget(budget.usdPerHour(), spent));
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

  /** What a machine of the pool costs; 0 without a budget. */
  public double price(PoolSpec pool) {
    return budget.map(b -> price(b, pool)).orElse(0.0);
  }

  /**
   * The same with the reason.
   *
   * @param before the cost of what others get before one more
   */
  public Allowance allowance(PoolSpec pool, int wanted, double before) {
    var n = may(pool, wanted);
    return veto(pool, n, 1, before)
        .map(why -> Allowance.all(wanted).atMost(n, why))
        .orElse(Allowance.all(wanted));
  }

  /** How many machines of the pool the budget allows; at most {@code wanted}. */
  public int may(PoolSpec pool, int wanted) {
    if (budget.isEmpty() || wanted <= 0) return wanted;
    var price = budget.get().price(pool.machineType(), pool.provisioning());
    if (price.isEmpty()) return 0;
    var left = budget.get().usdPerHour() - spent + PRICE_TOLERANCE;
    if (price.get() <= 0 || left >= price.get() * wanted) return wanted;
    return (int) Math.max(0, Math.floor(left / price.get()));
  }

  public void take(PoolSpec pool, int machines) {
    budget.ifPresent(b -> spent += machines * price(b, pool));
  }

  /** Why the budget does not allow {@code wanted} more machines, after {@code launched} more. */
  public Optional<Veto> veto(PoolSpec pool, int launched, int wanted, double before) {
    if (budget.isEmpty()) return Optional.empty();
    var b = budget.get();
    var price = b.price(pool.machineType(), pool.provisioning());
    if (price.isEmpty()) return Optional.of(new PoolVeto.NoPrice(pool.name(), pool.machineType()));
    var cost = spent + launched * price.get();
    var more = wanted * price.get();
    return Optional.of(
        new PoolVeto.OverBudget(
            pool.name(), b.usdPerHour(), cost, wanted, more, toCents(cost + before + more)));
  }

  /** As people write it, rounded up. */
  private static double toCents(double usd) {
    return Math.ceil(usd * 100 - PRICE_TOLERANCE) / 100;
  }
}
