package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
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
  private long[] gpuMemory;
  private Resources used = Resources.ZERO;

  public ResourceAllocator(Resources total) {
    this.ordered = total;
    this.total = total;
    this.gpus = new long[devices(total)];
    this.gpuMemory = new long[gpus.length];
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
            Math.min(ordered.tpuChips(), found.tpuChips()),
            used.gpuMillis() == 0 ? gpuMemory(found) : total.gpuMemoryBytes());
    // A missing device that a task uses is still counted; the sum stops the next task.
    var devices = devices(total);
    if (devices >= gpus.length || used.gpuMillis() > 0) return;
    gpus = new long[devices];
    gpuMemory = new long[devices];
  }

  /** A type that the catalog does not know has what was found; tasks that run keep their share. */
  private long gpuMemory(Resources found) {
    var wanted = ordered.gpuMemoryBytes();
    if (found.gpuMemoryBytes() <= 0) return wanted;
    return wanted <= 0 ? found.gpuMemoryBytes() : Math.min(wanted, found.gpuMemoryBytes());
  }

  public Resources total() {
    return total;
  }

  Resources free() {
    return total.minus(used);
  }

  /** The free resources, by device too. */
  public FreeResources room() {
    var missing = devices(total) < gpus.length;
    var unused =
        FreeResources.of(
            missing ? total.withGpuMillis((long) gpus.length * FreeResources.WHOLE) : total);
    return new FreeResources(free(), unused.gpus(), unused.gpuMemory())
        .using(gpusUsed(), gpuMemoryUsed());
  }

  /** The thousandths of each device that tasks use, by index. */
  public List<Integer> gpusUsed() {
    return Arrays.stream(gpus).mapToObj(Math::toIntExact).toList();
  }

  /** The bytes of each device's memory that tasks use, by index. */
  public List<Long> gpuMemoryUsed() {
    return Arrays.stream(gpuMemory).boxed().toList();
  }

  /**
   * The devices, by index, that {@code need} would get now; empty if it does not fit. Allocates
   * nothing.
   */
  public Optional<List<Integer>> fit(Resources need) {
    return room().place(need);
  }

  void allocate(Resources need, List<Integer> devices) {
    used = used.plus(whole().taken(need));
    share(need, devices, 1);
  }

  void release(Resources need, List<Integer> devices) {
    used = used.minus(whole().taken(need));
    share(need, devices, -1);
  }

  private FreeResources whole() {
    return FreeResources.of(total);
  }

  private void share(Resources need, List<Integer> devices, long sign) {
    var shares = whole().shares(need);
    for (var i = 0; i < devices.size(); i++) {
      gpus[devices.get(i)] += sign * shares.get(i).millis();
      gpuMemory[devices.get(i)] += sign * shares.get(i).bytes();
    }
  }

  /** {@code amounts} with nothing below zero. */
  public static Resources atLeastZero(Resources amounts) {
    return new Resources(
        Math.max(0, amounts.cpuMillis()),
        Math.max(0, amounts.memoryBytes()),
        Math.max(0, amounts.gpuMillis()),
        Math.max(0, amounts.tpuChips()),
        amounts.gpuMemoryBytes());
  }

  @Override
  public String toString() {
    return free() + " of " + total + " free, devices " + Arrays.toString(gpus);
  }
}
