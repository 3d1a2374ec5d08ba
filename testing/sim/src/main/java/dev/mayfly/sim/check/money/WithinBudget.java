package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.List;

/** I7: no launch takes the hourly cost of a cluster's machines above its budget. */
public final class WithinBudget implements Invariant {
  private static final double PRICE_TOLERANCE = 1e-6;

  private final GroundTruth groundTruth;

  public WithinBudget(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().isEmpty() && change.after().orElse(null) instanceof Worker worker)
        launched(worker);
  }

  /** A person's own machine costs nothing, and joins whatever the others cost. */
  private void launched(Worker worker) {
    if (worker.provisioning() == Provisioning.STATIC) return;
    for (var cluster : groundTruth.all(Cluster.class))
      if (cluster.uid().equals(worker.cluster()))
        cluster.spec().hourlyBudget().ifPresent(budget -> check(cluster, budget));
  }

  private void check(Cluster cluster, HourlyBudget budget) {
    var spent =
        groundTruth.all(Worker.class).stream()
            .filter(w -> w.cluster().equals(cluster.uid()))
            .filter(w -> !(w.state() instanceof WorkerState.Gone))
            .mapToDouble(w -> budget.price(w.machineType(), w.provisioning()).orElse(0.0))
            .sum();
    if (spent > budget.usdPerHour() + PRICE_TOLERANCE)
      throw new InvariantViolation(
          "I7", "machines for %s an hour, within %s".formatted(spent, budget));
  }
}
