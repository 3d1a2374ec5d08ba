package dev.mayfly.sim.check;

import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Machine;
import dev.mayfly.sim.fake.SimMachine;

/**
 * I15, and when a machine may be deleted: it carries our label, and its worker is drained, lost,
 * gone or past the deadline of its boot or its drain, or nothing is known of it.
 */
final class DeleteIsJust implements Check {
  private final Truth truth;

  DeleteIsJust(Truth truth) {
    this.truth = truth;
  }

  @Override
  public void deleteAsked(SimMachine machine) {
    if (machine.foreign())
      throw new Violation("I15", machine + " is not ours and was to be deleted");
    var cluster = machine.labels().getOrDefault(Machine.CLUSTER, "");
    truth
        .worker(cluster, machine.labels().getOrDefault(Machine.WORKER, ""))
        .filter(w -> !machine.dead() && !may(w))
        .ifPresent(w -> {
          throw new Violation(
              "S3", machine + " was to be deleted while its worker is " + w.state());
        });
  }

  private boolean may(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Launching s -> !truth.now().isBefore(s.deadline());
      case WorkerState.Booting s -> !truth.now().isBefore(s.deadline());
      case WorkerState.Draining s -> !truth.now().isBefore(s.deadline());
      case WorkerState.Ready _ -> false;
      case WorkerState.Drained _, WorkerState.Lost _, WorkerState.Gone _ -> true;
    };
  }
}
