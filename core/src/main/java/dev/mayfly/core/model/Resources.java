package dev.mayfly.core.model;

/**
 * Amounts that a task needs or a worker has.
 *
 * @param cpuMillis thousandths of a CPU
 * @param memoryBytes bytes of memory
 * @param gpuMillis thousandths of a GPU (a quarter of a device is 250)
 * @param tpuChips whole TPU chips
 * @param gpuMemoryBytes memory of one GPU: of each GPU that a task uses, or that a machine has. It
 *     adds up to nothing, so that sums and multiples keep it. 0 of a task: it has no limit; 0 of a
 *     machine: it is not known
 */
public record Resources(
    long cpuMillis, long memoryBytes, long gpuMillis, long tpuChips, long gpuMemoryBytes) {
  public static final Resources ZERO = new Resources(0, 0, 0, 0);

  /** Without a word about the memory of GPUs. */
  public Resources(long cpuMillis, long memoryBytes, long gpuMillis, long tpuChips) {
    this(cpuMillis, memoryBytes, gpuMillis, tpuChips, 0);
  }

  public static Resources cpu(double cpus, long memoryBytes) {
    return new Resources(Math.round(cpus * 1000), memoryBytes, 0, 0);
  }

  /** The memory of a GPU stays this one's, if it says any. */
  public Resources plus(Resources o) {
    return new Resources(
        cpuMillis + o.cpuMillis,
        memoryBytes + o.memoryBytes,
        gpuMillis + o.gpuMillis,
        tpuChips + o.tpuChips,
        gpuMemoryBytes > 0 ? gpuMemoryBytes : o.gpuMemoryBytes);
  }

  /** May become negative, for an overcommitted worker. */
  public Resources minus(Resources o) {
    return new Resources(
        cpuMillis - o.cpuMillis,
        memoryBytes - o.memoryBytes,
        gpuMillis - o.gpuMillis,
        tpuChips - o.tpuChips,
        gpuMemoryBytes);
  }

  public Resources times(long n) {
    return new Resources(
        cpuMillis * n, memoryBytes * n, gpuMillis * n, tpuChips * n, gpuMemoryBytes);
  }

  /** Of each amount the smaller one. */
  public Resources least(Resources o) {
    return new Resources(
        Math.min(cpuMillis, o.cpuMillis),
        Math.min(memoryBytes, o.memoryBytes),
        Math.min(gpuMillis, o.gpuMillis),
        Math.min(tpuChips, o.tpuChips),
        Math.min(gpuMemoryBytes, o.gpuMemoryBytes));
  }

  /** The same with another number of GPUs. */
  public Resources withGpuMillis(long millis) {
    return new Resources(cpuMillis, memoryBytes, millis, tpuChips, gpuMemoryBytes);
  }

  /** The same with another memory of each GPU. */
  public Resources withGpuMemory(long bytes) {
    return new Resources(cpuMillis, memoryBytes, gpuMillis, tpuChips, bytes);
  }

  /** Whether a task with these needs gets a GPU: it asks for a part of one or for its memory. */
  public boolean needsGpu() {
    return gpuMillis > 0 || gpuMemoryBytes > 0;
  }

  /** Whether {@code need} fits on an unused machine of this size. */
  public boolean fits(Resources need) {
    return slots(need) >= 1;
  }

  /**
   * How many times {@code need} fits on an unused machine of this size: the least of the amounts
   * divided, GPUs by device. {@link FreeResources} counts the rest of a partly used machine.
   */
  public long slots(Resources need) {
    return need.needsGpu() ? FreeResources.of(this).slots(need) : together(need);
  }

  /** Whether each amount is large enough, counting GPUs as one large device. */
  public boolean covers(Resources need) {
    return need.cpuMillis <= Math.max(0, cpuMillis)
        && need.memoryBytes <= Math.max(0, memoryBytes)
        && need.gpuMillis <= Math.max(0, gpuMillis)
        && need.tpuChips <= Math.max(0, tpuChips)
        && need.gpuMemoryBytes <= Math.max(0, gpuMemoryBytes);
  }

  /** The least of the amounts divided, as if GPUs were one large device. */
  long together(Resources need) {
    if (!covers(need)) return 0;
    var slots = Long.MAX_VALUE;
    slots = Math.min(slots, slots(cpuMillis, need.cpuMillis));
    slots = Math.min(slots, slots(memoryBytes, need.memoryBytes));
    slots = Math.min(slots, slots(gpuMillis, need.gpuMillis));
    slots = Math.min(slots, slots(tpuChips, need.tpuChips));
    return slots;
  }

  private static long slots(long have, long need) {
    return need <= 0 ? Long.MAX_VALUE : Math.max(0, have / need);
  }

  /**
   * The largest part of one of a machine's resources that these take, 1 for all of it: the dominant
   * share (Ghodsi et al., Dominant Resource Fairness, NSDI 2011). What the machine lacks counts as
   * nothing.
   */
  public double dominantShare(Resources machine) {
    var share = part(cpuMillis, machine.cpuMillis);
    share = Math.max(share, part(memoryBytes, machine.memoryBytes));
    share = Math.max(share, part(gpuMillis, machine.gpuMillis));
    share = Math.max(share, part(gpuMemoryBytes, machine.gpuMemoryBytes));
    return Math.max(share, part(tpuChips, machine.tpuChips));
  }

  private static double part(long need, long machine) {
    return machine == 0 ? 0 : (double) need / machine;
  }
}
