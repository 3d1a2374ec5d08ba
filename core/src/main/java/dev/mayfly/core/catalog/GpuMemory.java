package dev.mayfly.core.catalog;

import java.util.Map;
import java.util.Optional;

/**
 * How much memory one GPU has, as its driver shows it. After {@code gpu-memory.csv}, which names
 * its source. The driver of a machine has the last word; this is what plans go by before the
 * machine is there.
 */
public final class GpuMemory {
  private static final long MIB = 1L << 20;

  private static final Map<String, Long> ALL =
      CatalogTable.read("gpu-memory.csv", "gpu", "memory_mib", "source")
          .index(row -> row.word("gpu"), row -> row.whole("memory_mib") * MIB);

  private GpuMemory() {}

  /**
   * The bytes of one GPU; empty for a kind that is not known.
   *
   * @param type Compute Engine's accelerator type
   */
  public static Optional<Long> of(String type) {
    return Optional.ofNullable(ALL.get(type));
  }
}
