package dev.mayfly.core.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an attempt's processes used, as their machine measured it. It travels among the attempt's
 * metrics, under names that no task can write.
 *
 * @param cpuSeconds of processors, of all its processes together
 * @param cpus processors that it used on the mean since it began
 * @param peakMemory bytes, the most that its processes had at once, without the files that the
 *     kernel keeps for them; looked at every second
 */
public record TaskUse(double cpuSeconds, double cpus, long peakMemory) {
  /** How names begin that are Mayfly's own. */
  static final String OWN = "mayfly.";

  private static final String CPU_SECONDS = OWN + "cpu-seconds";
  private static final String CPUS = OWN + "cpus";
  private static final String PEAK_MEMORY = OWN + "peak-memory";

  private static final double SMALL_PART = 0.1;
  private static final double SMALL_CPUS = 0.25;

  /** The use among an attempt's metrics; empty if it was not measured. */
  public static Optional<TaskUse> of(Map<String, Double> metrics) {
    var seconds = metrics.get(CPU_SECONDS);
    var cpus = metrics.get(CPUS);
    var peak = metrics.get(PEAK_MEMORY);
    return seconds == null || cpus == null || peak == null
        ? Optional.empty()
        : Optional.of(new TaskUse(seconds, cpus, peak.longValue()));
  }

  /**
   * Processors on the mean; empty if they were only looked at before they worked: no process ends
   * without them, but one that ends within a second is seen at its start alone.
   */
  public Optional<Double> knownCpus() {
    return cpuSeconds > 0 ? Optional.of(cpus) : Optional.empty();
  }

  /** What the task reported itself; empty if that is nothing. */
  public static Optional<Map<String, Double>> reported(Map<String, Double> metrics) {
    var values = new HashMap<>(metrics);
    values.keySet().removeIf(name -> name.startsWith(OWN));
    return values.isEmpty() ? Optional.empty() : Optional.of(values);
  }

  /** The metrics with this use. */
  public Map<String, Double> among(Map<String, Double> metrics) {
    var values = new HashMap<>(metrics);
    values.put(CPU_SECONDS, cpuSeconds);
    values.put(CPUS, cpus);
    values.put(PEAK_MEMORY, (double) peakMemory);
    return values;
  }

  /** Whether nobody would decide otherwise by the other: the seconds themselves always grow. */
  public boolean isNear(TaskUse other) {
    var larger = Math.max(peakMemory, other.peakMemory);
    return Math.abs(peakMemory - other.peakMemory) <= larger * SMALL_PART
        && Math.abs(cpus - other.cpus)
            <= Math.max(SMALL_CPUS, Math.max(cpus, other.cpus) * SMALL_PART);
  }
}
