package dev.mayfly.core.plan.budget;

import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the machines to drain while a cluster costs more than its budget, after the budget was
 * lowered or a price raised: first idle machines that no open task needs, regardless of {@code
 * idleAfter} and {@code workers.min}, then machines in flight, even if tasks wait for them.
 *
 * <p><b>Must:</b> drain no machine that holds a lease or is paid for anyway, and no more than
 * needed to meet the budget.
 */
public final class BudgetDrains {
  private final Optional<HourlyBudget> budget;
  private double excess;

  /**
   * @param ending workers that end for another reason; they are still paid for, but no other worker
   *     ends for their cost
   */
  public BudgetDrains(ClusterSnapshot clusterSnapshot, Set<String> ending) {
    budget = clusterSnapshot.cluster().spec().hourlyBudget();
    excess = new HourlySpending(clusterSnapshot).excess();
    for (var worker : clusterSnapshot.workers())
      if (!worker.state().live() || ending.contains(worker.name())) excess -= price(worker);
  }

  private double price(Worker worker) {
    return budget.map(b -> HourlySpending.price(b, worker)).orElse(0.0);
  }

  /** Whether the worker ends for the budget; if so, subtracts its price. */
  public boolean ends(Worker worker) {
    var price = price(worker);
    if (excess <= HourlySpending.PRICE_TOLERANCE || price <= 0) return false;
    if (worker.provisioning() == Provisioning.RESERVED) return false;
    excess -= price;
    return true;
  }

  /** Subtracts the price of a worker that ends for another reason. */
  public void saves(Worker worker) {
    excess -= price(worker);
  }

  public PlanDecision.Drain drain(Worker worker) {
    var most = budget.map(b -> HumanAmounts.exactUsd(b.usdPerHour())).orElse("");
    return new PlanDecision.Drain(
        worker.name(),
        new DrainReason(
            DrainCause.OVER_BUDGET,
            "the cluster's machines cost more than its budget of %s an hour, and this machine runs no task"
                .formatted(most)));
  }
}
