package dev.mayfly.sim.check;

import dev.mayfly.core.model.Resources;
import java.util.function.Function;

/**
 * Capacity is free only when the kill is confirmed: a machine's processes never need more than it
 * has, nor those of one GPU more than that.
 */
final class RoomIsReal implements Check {
  private static final long DEVICE = 1_000;

  private final Truth truth;
  private final Function<String, Resources> total;

  /**
   * @param total what the tasks of a worker may use together
   */
  RoomIsReal(Truth truth, Function<String, Resources> total) {
    this.truth = truth;
    this.total = total;
  }

  @Override
  public void began(Proc process) {
    var free = total.apply(process.worker());
    for (var p : truth.running()) if (p.sameHost(process)) free = free.minus(p.need());
    if (free.cpuMillis() < 0 || free.memoryBytes() < 0 || free.gpuMillis() < 0)
      throw new Violation("S1", process + " began where there was no room: " + free + " left");
    for (var device : process.gpus()) devices(process, device);
  }

  /** Parts of tasks' GPUs are on one device; whole ones have one each. */
  private void devices(Proc process, int device) {
    var used =
        truth.running().stream()
            .filter(p -> p.sameHost(process) && p.gpus().contains(device))
            .mapToLong(p -> Math.min(DEVICE, p.need().gpuMillis()))
            .sum();
    if (used > DEVICE)
      throw new Violation("S1", process + " began on GPU " + device + ", which has no room for it");
  }
}
