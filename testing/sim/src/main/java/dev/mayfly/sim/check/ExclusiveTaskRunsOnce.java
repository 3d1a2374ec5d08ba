package dev.mayfly.sim.check;

import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.Map;
import java.util.TreeMap;

/** I11 for exclusive work: two processes of one exclusive task never run at the same time. */
final class ExclusiveTaskRunsOnce implements Invariant {
  private final GroundTruth groundTruth;
  private final Map<String, TaskProcess> running = new TreeMap<>();

  ExclusiveTaskRunsOnce(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void began(TaskProcess process) {
    // The hosts of a gang run one task together; GangAllOrNothing checks them.
    if (!process.exclusive() || process.gang()) return;
    var other = running.put(process.task(), process);
    if (other != null && !groundTruth.survived(other) && !groundTruth.suspendedTooLong(other))
      throw new InvariantViolation("I11", other + " and " + process + " run at the same time");
  }

  @Override
  public void ended(TaskProcess process) {
    running.remove(process.task(), process);
  }
}
