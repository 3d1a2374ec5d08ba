package dev.mayfly.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The free resources of one machine: amounts, and the free part of each GPU. A task that needs a
 * part of a GPU gets it on one device, and whole GPUs are whole devices; so eight GPUs have room
 * for eight tasks of 0.6 and not for thirteen.
 *
 * <p>Plans, grants and the agent all count by this rule.
 *
 * @param amounts negative on an overcommitted machine
 * @param gpus free thousandths of each device, by index
 */
public record FreeResources(Resources amounts, List<Integer> gpus) {
  /** Thousandths of a whole device. */
  public static final int WHOLE = 1_000;

  public FreeResources {
    gpus = List.copyOf(gpus);
  }

  /** A machine without used resources; the fraction of a GPU is a device of its own. */
  public static FreeResources of(Resources whole) {
    return new FreeResources(whole, devices(whole.gpuMillis()));
  }

  private static List<Integer> devices(long millis) {
    if (millis <= 0) return List.of();
    var devices = new ArrayList<Integer>();
    for (var left = millis; left > 0; left -= WHOLE) devices.add((int) Math.min(left, WHOLE));
    return devices;
  }

  /** How many such tasks fit side by side. */
  public long slots(Resources need) {
    var slots = amounts.together(need);
    return need.gpuMillis() <= 0 || slots == 0 ? slots : Math.min(slots, shares(need.gpuMillis()));
  }

  public boolean fits(Resources need) {
    return slots(need) >= 1;
  }

  /** How many shares of {@code millis} the devices hold. */
  private long shares(long millis) {
    var whole = millis / WHOLE;
    var part = millis % WHOLE;
    var free = gpus.stream().filter(g -> g >= WHOLE).count();
    if (part == 0) return free / whole;
    var parts = gpus.stream().filter(g -> g < WHOLE).mapToLong(g -> Math.max(0, g) / part).sum();
    var each = WHOLE / part;
    if (whole == 0) return parts + free * each;
    var most = free / whole;
    while (most > 0 && parts + (free - most * whole) * each < most) most--;
    return most;
  }

  /**
   * The devices that a task would get: the first free ones for whole GPUs, and for a part the
   * fullest one that still has it, which wastes least. Empty if it does not fit.
   */
  public Optional<List<Integer>> place(Resources need) {
    return fits(need) ? Optional.of(devices(gpus, need.gpuMillis())) : Optional.empty();
  }

  private static List<Integer> devices(List<Integer> free, long millis) {
    var devices = new ArrayList<Integer>();
    var missing = millis;
    for (var i = 0; i < free.size() && missing >= WHOLE; i++)
      if (free.get(i) >= WHOLE) {
        devices.add(i);
        missing -= WHOLE;
      }
    if (missing > 0) devices.add(fullest(free, missing, devices));
    return devices;
  }

  private static int fullest(List<Integer> free, long part, List<Integer> excluded) {
    var best = -1;
    for (var i = 0; i < free.size(); i++)
      if (!excluded.contains(i)
          && free.get(i) >= part
          && (best < 0 || free.get(i) < free.get(best))) best = i;
    return best;
  }

  /**
   * Subtracts the needs of {@code tasks} tasks. Those that do not fit make the other amounts
   * negative, but use no device.
   */
  public FreeResources without(Resources need, long tasks) {
    if (tasks <= 0) return this;
    var left = amounts.minus(need.times(tasks));
    if (need.gpuMillis() <= 0 || gpus.isEmpty()) return new FreeResources(left, gpus);
    var next = new ArrayList<>(gpus);
    for (var n = Math.min(tasks, shares(need.gpuMillis())); n > 0; n--) {
      var missing = need.gpuMillis();
      for (var device : devices(next, missing)) {
        var share = (int) Math.min(missing, WHOLE);
        next.set(device, next.get(device) - share);
        missing -= share;
      }
    }
    return new FreeResources(left, next);
  }

  /** Subtracts the given use of each device, by index. */
  public FreeResources using(List<Integer> used) {
    var next = new ArrayList<Integer>();
    for (var i = 0; i < gpus.size(); i++)
      next.add(Math.max(0, gpus.get(i) - (i < used.size() ? used.get(i) : 0)));
    return new FreeResources(amounts, next);
  }
}
