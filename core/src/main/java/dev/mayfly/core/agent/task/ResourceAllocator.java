package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The machine's resources in use. They are taken when a task starts and released only when none of
 * its processes is left.
 */
public final class ResourceAllocator {
  private final Resources ordered;
  private Resources total;
  private long[] gpus;
  private Resources used = Resources.ZERO;

  public ResourceAllocator(Resources total) {
    this.ordered = total;
    this.total = total;
    this.gpus = new long[devices(total)];
  }

  private static int devices(Resources of) {
    return FreeResources.of(of).gpus().size();
  }

  /** Limits the total to the resources found; never more than was ordered. */
  public void limitTo(Resources found) {
    total =
        new Resources(
            Math.min(ordered.cpuMillis(), found.cpuMillis()),
            Math.min(ordered.memoryBytes(), found.memoryBytes()),
            Math.min(ordered.gpuMillis(), found.gpuMillis()),
            Math.min(ordered.tpuChips(), found.tpuChips()));
    // A missing device that a task uses is still counted; the sum stops the next task.
    var devices = devices(total);
    if (devices < gpus.length && used.gpuMillis() == 0) gpus = new long[devices];
  }

  public Resources total() {
    return total;
  }

  Resources free() {
    return total.minus(used);
  }

  /** The free resources, by device too. */
  public FreeResources room() {
    var devices = new ArrayList<>(FreeResources.of(total).gpus());
    while (devices.size() < gpus.length) devices.add(FreeResources.WHOLE);
    return new FreeResources(free(), devices).using(gpusUsed());
  }

  /** The thousandths of each device that tasks use, by index. */
  public List<Integer> gpusUsed() {
    return Arrays.stream(gpus).mapToObj(Math::toIntExact).toList();
  }

  /**
   * The devices, by index, that {@code need} would get now; empty if it does not fit. Allocates
   * nothing.
   */
  public Optional<List<Integer>> fit(Resources need) {
    return room().place(need);
  }

  void allocate(Resources need, List<Integer> devices) {
    used = used.plus(need);
    share(need, devices, 1);
  }

  void release(Resources need, List<Integer> devices) {
    used = used.minus(need);
    share(need, devices, -1);
  }

  private void share(Resources need, List<Integer> devices, int sign) {
    var left = need.gpuMillis();
    for (var device : devices) {
      gpus[device] += sign * Math.min(left, FreeResources.WHOLE);
      left -= FreeResources.WHOLE;
    }
  }

  /** {@code amounts} with nothing below zero. */
  public static Resources atLeastZero(Resources amounts) {
    return new Resources(
        Math.max(0, amounts.cpuMillis()),
        Math.max(0, amounts.memoryBytes()),
        Math.max(0, amounts.gpuMillis()),
        Math.max(0, amounts.tpuChips()));
  }

  @Override
  public String toString() {
    return free() + " of " + total + " free, devices " + Arrays.toString(gpus);
  }
}
