package dev.mayfly.core.plan;

import dev.mayfly.core.model.HourlyBudget;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the machines to end while a cluster costs more than its budget, after the budget was
 * lowered or a price raised: idle machines that no open task needs first, regardless of {@code
 * idleAfter} and {@code workers.min}, then machines in flight, though tasks wait for them.
 *
 * <p><b>Must:</b> end no machine that holds a lease or that is paid for anyway, and no more than
 * bring the cluster within its budget.
 */
final class OverBudget {
  private final Optional<HourlyBudget> budget;
  private double excess;

  /**
   * @param ending workers that end for another reason: each is paid for a while yet, which is no
   *     reason to end another
   */
  OverBudget(View view, Set<String> ending) {
    budget = view.cluster().spec().budget();
    excess = new Spending(view).excess();
    for (var worker : view.workers())
      if (!worker.state().live() || ending.contains(worker.name())) excess -= price(worker);
  }

  private double price(Worker worker) {
    return budget.map(b -> Spending.price(b, worker)).orElse(0.0);
  }

  /** Whether the worker ends for it; then it costs nothing any more. */
  boolean ends(Worker worker) {
    var price = price(worker);
    if (excess <= Spending.CENTS || price <= 0) return false;
    if (worker.provisioning() == Provisioning.RESERVED) return false;
    excess -= price;
    return true;
  }

  /** Subtracts a worker that ends for another reason. */
  void saves(Worker worker) {
    excess -= price(worker);
  }

  Decision.Drain drain(Worker worker) {
    var most = budget.map(b -> Spending.usd(b.usdPerHour())).orElse("");
    return new Decision.Drain(
        worker.name(),
        "the cluster's machines cost more than its budget of $%s an hour, and this machine runs no task"
            .formatted(most));
  }
}
