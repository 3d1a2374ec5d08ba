package dev.mayfly.sim.check;

import dev.mayfly.core.model.Resources;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.function.Function;

/**
 * S1: capacity is free only after a confirmed kill. A machine's processes never need more than it
 * has, nor those of one GPU more than one GPU and its memory.
 */
final class NoOvercommit implements Invariant {
  private static final long DEVICE = 1_000;

  private final GroundTruth groundTruth;
  private final Function<String, Resources> total;

  /**
   * @param total the resources that all tasks of a worker may use
   */
  NoOvercommit(GroundTruth groundTruth, Function<String, Resources> total) {
    this.groundTruth = groundTruth;
    this.total = total;
  }

  @Override
  public void began(TaskProcess process) {
    var free = total.apply(process.worker());
    for (var p : groundTruth.running()) if (p.sameHost(process)) free = free.minus(p.need());
    if (free.cpuMillis() < 0 || free.memoryBytes() < 0 || free.gpuMillis() < 0)
      throw new InvariantViolation(
          "S1", process + " began where there was no room: " + free + " left");
    for (var device : process.gpus()) devices(process, device);
    var memory = total.apply(process.worker()).gpuMemoryBytes();
    for (var device : process.gpus()) memory(process, device, memory);
  }

  /** Fractions of a GPU are on one device; each whole GPU is a device. */
  private void devices(TaskProcess process, int device) {
    var used =
        groundTruth.running().stream()
            .filter(p -> p.sameHost(process) && p.gpus().contains(device))
            .mapToLong(p -> Math.min(DEVICE, p.need().gpuMillis()))
            .sum();
    if (used > DEVICE)
      throw new InvariantViolation(
          "S1", process + " began on GPU " + device + ", which has no room for it");
  }

  /** A task without a limit is counted by its part, above. */
  private void memory(TaskProcess process, int device, long memory) {
    var used =
        groundTruth.running().stream()
            .filter(p -> p.sameHost(process) && p.gpus().contains(device))
            .mapToLong(p -> p.need().gpuMemoryBytes())
            .sum();
    if (used > memory)
      throw new InvariantViolation(
          "S1", process + " began on GPU " + device + ", whose memory has no room for it");
  }
}
