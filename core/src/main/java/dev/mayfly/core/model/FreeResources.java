package dev.mayfly.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The free resources of one machine: amounts, and the free part of each GPU and of its memory. A
 * task that needs a part of a GPU gets it on one device, and whole GPUs are whole devices; so eight
 * GPUs have room for eight tasks of 0.6 and not for thirteen.
 *
 * <p>Tasks share a device while both their parts and their memory fit. A task that says one of them
 * has the other in proportion: a quarter of the memory for a quarter of the device, and a quarter
 * of the device for a quarter of the memory. Both are rounded down, so that what fits by the one
 * fits by the other. Where the memory of the machine's GPUs is not known, parts alone count, and a
 * task that asks for memory does not fit.
 *
 * <p>Plans, grants and the agent all count by this rule.
 *
 * @param amounts negative on an overcommitted machine; its memory of a GPU is that of an unused one
 * @param gpus free thousandths of each device, by index
 * @param gpuMemory free bytes of each device, by index; what it lacks is in proportion to the
 *     thousandths
 */
public record FreeResources(Resources amounts, List<Integer> gpus, List<Long> gpuMemory) {
  /** Thousandths of a whole device. */
  public static final int WHOLE = 1_000;

  public FreeResources {
    gpus = List.copyOf(gpus);
    gpuMemory = List.copyOf(gpuMemory);
  }

  /** What a task takes of one device: thousandths, and bytes of its memory. */
  public record Share(int millis, long bytes) {}

  /** A machine without used resources; the fraction of a GPU is a device of its own. */
  public static FreeResources of(Resources whole) {
    var gpus = devices(whole.gpuMillis());
    var memory = whole.gpuMemoryBytes();
    return new FreeResources(
        whole,
        gpus,
        memory <= 0 ? List.of() : gpus.stream().map(millis -> part(memory, millis)).toList());
  }

  private static List<Integer> devices(long millis) {
    if (millis <= 0) return List.of();
    var devices = new ArrayList<Integer>();
    for (var left = millis; left > 0; left -= WHOLE) devices.add((int) Math.min(left, WHOLE));
    return devices;
  }

  private static long part(long memory, long millis) {
    return memory * millis / WHOLE;
  }

  /** What a task takes of this machine: its need, and the part of a GPU that follows from it. */
  public Resources taken(Resources need) {
    var memory = amounts.gpuMemoryBytes();
    if (need.gpuMillis() > 0 || need.gpuMemoryBytes() <= 0 || memory <= 0) return need;
    return need.withGpuMillis(Math.clamp(need.gpuMemoryBytes() * WHOLE / memory, 1, WHOLE));
  }

  /** What a task takes of each of its devices: of whole ones first, as {@link #place} has them. */
  public List<Share> shares(Resources need) {
    var shares = new ArrayList<Share>();
    for (var millis : devices(taken(need).gpuMillis()))
      shares.add(new Share(millis, bytes(need, millis)));
    return shares;
  }

  /** A whole device comes with all of its memory. */
  private long bytes(Resources need, int millis) {
    var memory = amounts.gpuMemoryBytes();
    return millis >= WHOLE || need.gpuMemoryBytes() <= 0 || memory <= 0
        ? part(memory, millis)
        : need.gpuMemoryBytes();
  }

  /** How many such tasks fit side by side. */
  public long slots(Resources need) {
    var taken = taken(need);
    var slots = amounts.together(taken);
    return taken.gpuMillis() <= 0 || slots == 0 ? slots : Math.min(slots, times(shares(need)));
  }

  public boolean fits(Resources need) {
    return slots(need) >= 1;
  }

  /** How many times the devices hold the shares of a task. */
  private long times(List<Share> shares) {
    var last = shares.getLast();
    var whole = last.millis >= WHOLE ? shares.size() : shares.size() - 1;
    var free = 0L;
    var parts = 0L;
    for (var i = 0; i < gpus.size(); i++)
      if (isFree(i)) free++;
      else if (last.millis < WHOLE) parts += holds(gpus.get(i), memory(i), last);
    if (last.millis >= WHOLE) return free / whole;
    var each = holds(WHOLE, amounts.gpuMemoryBytes(), last);
    if (whole == 0) return parts + free * each;
    var most = free / whole;
    while (most > 0 && parts + (free - most * whole) * each < most) most--;
    return most;
  }

  private boolean isFree(int device) {
    return gpus.get(device) >= WHOLE && memory(device) >= amounts.gpuMemoryBytes();
  }

  private long memory(int device) {
    return device < gpuMemory.size()
        ? gpuMemory.get(device)
        : part(amounts.gpuMemoryBytes(), Math.max(0, gpus.get(device)));
  }

  private static long holds(int millis, long bytes, Share share) {
    var parts = Math.max(0, millis) / share.millis;
    return share.bytes <= 0 ? parts : Math.min(parts, Math.max(0, bytes) / share.bytes);
  }

  /**
   * The devices that a task would get: the first free ones for whole GPUs, and for a part the
   * fullest one that still has it, which wastes least. Empty if it does not fit.
   */
  public Optional<List<Integer>> place(Resources need) {
    return fits(need) ? Optional.of(devices(shares(need))) : Optional.empty();
  }

  private List<Integer> devices(List<Share> shares) {
    var devices = new ArrayList<Integer>();
    for (var share : shares) devices.add(device(share, devices));
    return devices;
  }

  /** The first free one, or the fullest that has room; -1 if there is none. */
  private int device(Share share, List<Integer> excluded) {
    var best = -1;
    for (var i = 0; i < gpus.size(); i++) {
      if (excluded.contains(i) || holds(gpus.get(i), memory(i), share) < 1) continue;
      if (best < 0 || gpus.get(i) < gpus.get(best)) best = i;
    }
    return best;
  }

  /**
   * Subtracts the needs of {@code tasks} tasks. Those that do not fit make the other amounts
   * negative, but use no device.
   */
  public FreeResources without(Resources need, long tasks) {
    if (tasks <= 0) return this;
    var next = new FreeResources(amounts.minus(taken(need).times(tasks)), gpus, gpuMemory);
    var shares = shares(need);
    if (shares.isEmpty() || gpus.isEmpty()) return next;
    for (var n = Math.min(tasks, times(shares)); n > 0; n--)
      next = next.without(shares, next.devices(shares));
    return next;
  }

  private FreeResources without(List<Share> shares, List<Integer> devices) {
    var millis = new ArrayList<>(gpus);
    var bytes = new ArrayList<>(gpuMemory);
    for (var i = 0; i < devices.size(); i++) {
      int device = devices.get(i);
      millis.set(device, millis.get(device) - shares.get(i).millis);
      if (device < bytes.size()) bytes.set(device, bytes.get(device) - shares.get(i).bytes);
    }
    return new FreeResources(amounts, millis, bytes);
  }

  /**
   * Subtracts the given use of each device, by index.
   *
   * @param memory the bytes; those of a device that it lacks are in proportion to its thousandths
   */
  public FreeResources using(List<Integer> used, List<Long> memory) {
    var millis = new ArrayList<Integer>();
    var bytes = new ArrayList<Long>();
    for (var i = 0; i < gpus.size(); i++) {
      var part = i < used.size() ? used.get(i) : 0;
      millis.add(Math.max(0, gpus.get(i) - part));
      if (i >= gpuMemory.size()) continue;
      var taken = i < memory.size() ? memory.get(i) : part(amounts.gpuMemoryBytes(), part);
      bytes.add(Math.max(0, gpuMemory.get(i) - taken));
    }
    return new FreeResources(amounts, millis, bytes);
  }
}
