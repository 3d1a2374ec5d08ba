package dev.mayfly.core.catalog;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A GPU that can be attached to machines of {@link #FAMILY}; other types bring theirs with them.
 * After {@code attachable-gpus.csv}, which names its source.
 *
 * @param type Compute Engine's accelerator type, as a pool's {@code machine.gpu.type}
 * @param counts how many of them a machine can have
 * @param memoryGib of one GPU
 */
public record AttachableGpu(String type, Set<Integer> counts, int memoryGib) {
  public static final String FAMILY = "n1";

  private static final Map<String, AttachableGpu> ALL =
      CatalogTable.read("attachable-gpus.csv", "gpu_type", "counts", "memory_gib")
          .index(row -> row.word("gpu_type"), AttachableGpu::read);

  public AttachableGpu {
    counts = Set.copyOf(counts);
  }

  private static AttachableGpu read(CatalogTable.Row row) {
    if (!row.text("counts").matches("\\d+(/\\d+)*")) throw row.wrong("counts are not like 1/2/4");
    var counts =
        Stream.of(row.text("counts").split("/")).map(Integer::valueOf).collect(Collectors.toSet());
    return new AttachableGpu(row.word("gpu_type"), counts, row.whole("memory_gib"));
  }

  /** All of them, in the order of the table. */
  public static Collection<AttachableGpu> all() {
    return ALL.values();
  }

  static Optional<AttachableGpu> of(String type) {
    return Optional.ofNullable(ALL.get(type));
  }

  /** The counts as people write them: {@code 1, 2, 4}. */
  public String countsInWords() {
    return new TreeSet<>(counts).stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
