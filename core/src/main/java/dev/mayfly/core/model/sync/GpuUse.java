package dev.mayfly.core.model.sync;

import java.util.Optional;

/**
 * How busy and how full a GPU is, as its driver shows it. What the driver does not say, for example
 * of a device that is cut into parts (MIG), is empty and never zero.
 *
 * @param index the driver's number of the device
 * @param use percent of the last moments in which it computed
 * @param memoryUsed bytes, also of processes that are no task's
 * @param memory bytes, all of it
 */
public record GpuUse(
    int index, Optional<Integer> use, Optional<Long> memoryUsed, Optional<Long> memory) {
  /** Percent of its memory that is used; empty if the driver does not say. */
  public Optional<Integer> memoryPercent() {
    return memory
        .filter(all -> all > 0)
        .flatMap(all -> memoryUsed.map(used -> (int) Math.clamp(used * 100.0 / all, 0, 100)));
  }
}
