package dev.mayfly.cli.output;

import dev.mayfly.core.model.sync.GpuUse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How busy and how full some GPUs are together.
 *
 * @param gpus of which something is known
 * @param use the mean percent; empty if no driver says it
 * @param memoryUsed bytes, of those GPUs whose driver says both what is used and what there is
 */
record GpuSummary(int gpus, OptionalDouble use, long memoryUsed, long memory) {
  private static final double GIB = 1L << 30;

  /** Empty if nothing is known. */
  static Optional<GpuSummary> of(List<GpuUse> uses) {
    if (uses.isEmpty()) return Optional.empty();
    var mean = uses.stream().flatMap(gpu -> gpu.use().stream()).mapToInt(use -> use).average();
    var full = uses.stream().filter(gpu -> gpu.memoryPercent().isPresent()).toList();
    var used = full.stream().mapToLong(gpu -> gpu.memoryUsed().orElse(0L)).sum();
    var all = full.stream().mapToLong(gpu -> gpu.memory().orElse(0L)).sum();
    return Optional.of(new GpuSummary(uses.size(), mean, used, all));
  }

  /** For a table, use and memory: {@code 37%/18%}; a dash for what nobody knows. */
  String shortly() {
    return percent() + "/" + (memory == 0 ? "-" : Math.round(memoryUsed * 100.0 / memory) + "%");
  }

  /** For a page: {@code 37% busy, memory 8.2/45 GiB (mean and sum of 2)}. */
  String line() {
    var known = memory == 0 ? "memory -" : "memory " + gib(memoryUsed) + "/" + gib(memory) + " GiB";
    return "%s busy, %s (mean and sum of %d)".formatted(percent(), known, gpus);
  }

  private String percent() {
    return use.isEmpty() ? "-" : Math.round(use.getAsDouble()) + "%";
  }

  private static String gib(long bytes) {
    return HumanFormat.decimal(Math.round(bytes / GIB * 10) / 10.0);
  }
}
