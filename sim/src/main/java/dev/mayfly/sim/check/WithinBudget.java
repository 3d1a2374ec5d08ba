package dev.mayfly.sim.check;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.HourlyBudget;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import java.util.List;

/** Nothing is launched that takes what a cluster's machines cost an hour above its budget. */
final class WithinBudget implements Check {
  private static final double CENTS = 1e-6;

  private final Truth truth;

  WithinBudget(Truth truth) {
    this.truth = truth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().isEmpty() && change.after().orElse(null) instanceof Worker worker)
        launched(worker);
  }

  private void launched(Worker worker) {
    for (var cluster : truth.all(Cluster.class))
      if (cluster.uid().equals(worker.cluster()))
        cluster.spec().budget().ifPresent(budget -> check(cluster, budget));
  }

  private void check(Cluster cluster, HourlyBudget budget) {
    var spent =
        truth.all(Worker.class).stream()
            .filter(w -> w.cluster().equals(cluster.uid()))
            .filter(w -> !(w.state() instanceof WorkerState.Gone))
            .mapToDouble(w -> budget.price(w.machineType(), w.provisioning()).orElse(0.0))
            .sum();
    if (spent > budget.usdPerHour() + CENTS)
      throw new Violation("I7", "machines for %s an hour, within %s".formatted(spent, budget));
  }
}
