package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.util.List;

/**
 * I36: a machine is kept with the folder of a failed attempt only for a job that says {@code
 * keepFailed} and for no longer than it says; no more of a job's machines are at once than may be.
 */
public final class KeptMachinesAreFew implements Invariant {
  private static final String ID = "I36";

  private static final int MOST = 2;

  /** Clocks of instances differ. */
  private static final Duration CLOCKS = Duration.ofMinutes(2);

  private final GroundTruth groundTruth;

  public KeptMachinesAreFew(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.after().orElse(null) instanceof Worker after) {
        var had =
            change.before().orElse(null) instanceof Worker before
                && before.cordon().flatMap(Cordon::kept).isPresent();
        if (!had) after.cordon().flatMap(Cordon::kept).ifPresent(kept -> check(after, kept));
      }
  }

  private void check(Worker worker, KeptAttempt kept) {
    var wish =
        groundTruth
            .job(worker.cluster(), kept.job())
            .flatMap(job -> job.spec().run().taskEnvironment().keepFailed());
    if (wish.isEmpty() || kept.until().isAfter(groundTruth.now().plus(wish.get()).plus(CLOCKS)))
      throw new InvariantViolation(ID, "%s is kept: %s".formatted(worker.name(), kept));
    var later = groundTruth.now().plus(CLOCKS);
    var machines =
        groundTruth.all(Worker.class).stream()
            .filter(other ->
                Cordons.of(other, later)
                    .filter(Cordon::isByJob)
                    .flatMap(Cordon::kept)
                    .filter(it -> it.job().equals(kept.job()))
                    .isPresent())
            .count();
    if (machines > MOST)
      throw new InvariantViolation(
          ID, "%d machines of job %s are kept".formatted(machines, kept.job()));
  }
}
