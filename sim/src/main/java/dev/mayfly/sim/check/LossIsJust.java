package dev.mayfly.sim.check;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import java.time.Duration;
import java.util.List;

/**
 * A silence that everybody shares is ours: a worker is lost by silence only if something happened
 * to it alone within the time that silence takes to be noticed.
 */
final class LossIsJust implements Check {
  private final Truth truth;
  private final Duration memory;

  LossIsJust(Truth truth, Duration memory) {
    this.truth = truth;
    this.memory = memory;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().orElse(null) instanceof Worker a
          && change.after().orElse(null) instanceof Worker b
          && b.state() instanceof WorkerState.Lost lost
          && lost.cause() == Cause.LOST
          && !(a.state() instanceof WorkerState.Lost)
          && a.firstSyncAt().isPresent()
          && !truth.inTrouble(a.name())
          && !truth.disturbed(a.cluster(), memory)
          && truth
              .troubledAt(a.name())
              .filter(at -> at.plus(memory).isAfter(truth.now()))
              .isEmpty())
        throw new Violation(
            "S2",
            a.name()
                + " was lost ("
                + lost.reason()
                + "); last trouble "
                + truth.troubledAt(a.name()));
  }
}
