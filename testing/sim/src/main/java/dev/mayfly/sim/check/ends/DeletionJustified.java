package dev.mayfly.sim.check.ends;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;

/**
 * I15 and S3: a machine may be deleted only if it carries our label and its worker is drained,
 * lost, gone, past the deadline of its boot or drain, or unknown.
 */
public final class DeletionJustified implements Invariant {
  private final GroundTruth groundTruth;

  public DeletionJustified(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void deleteAsked(SimMachine machine) {
    if (machine.foreign())
      throw new InvariantViolation("I15", machine + " is not ours and was to be deleted");
    var cluster = machine.labels().getOrDefault(CloudMachine.CLUSTER, "");
    groundTruth
        .worker(cluster, machine.labels().getOrDefault(CloudMachine.WORKER, ""))
        .filter(w -> !machine.dead() && !may(w))
        .ifPresent(w -> {
          throw new InvariantViolation(
              "S3", machine + " was to be deleted while its worker is " + w.state());
        });
  }

  private boolean may(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Launching s -> !groundTruth.now().isBefore(s.deadline());
      case WorkerState.Booting s ->
          s.queue().isEmpty() && !groundTruth.now().isBefore(s.deadline());
      case WorkerState.Draining s -> !groundTruth.now().isBefore(s.deadline());
      case WorkerState.Ready _ -> false;
      case WorkerState.Drained _, WorkerState.Lost _, WorkerState.Gone _ -> true;
    };
  }
}
