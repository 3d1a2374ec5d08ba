package dev.mayfly.sim.check.ends;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.util.List;

/**
 * S2: a silence that all workers share is the control plane's. A worker is lost by silence only if
 * a fault struck it alone within the time that detection takes.
 */
public final class LossJustified implements Invariant {
  private final GroundTruth groundTruth;
  private final Duration memory;

  public LossJustified(GroundTruth groundTruth, Duration memory) {
    this.groundTruth = groundTruth;
    this.memory = memory;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().orElse(null) instanceof Worker a
          && change.after().orElse(null) instanceof Worker b
          && b.state() instanceof WorkerState.Lost lost
          && lost.cause() == FailureCause.LOST
          && !(a.state() instanceof WorkerState.Lost)
          && a.firstSyncAt().isPresent()
          && !groundTruth.inTrouble(a.name())
          && !groundTruth.unanswerable(a.name())
          && !groundTruth.disturbed(a.cluster(), memory)
          && groundTruth
              .troubledAt(a.name())
              .filter(at -> at.plus(memory).isAfter(groundTruth.now()))
              .isEmpty())
        throw new InvariantViolation(
            "S2",
            a.name()
                + " was lost ("
                + lost.reason()
                + "); last trouble "
                + groundTruth.troubledAt(a.name()));
  }
}
