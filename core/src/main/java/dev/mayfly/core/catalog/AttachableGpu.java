package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.MachineSpec;
import java.util.Collection;
import java.util.List;
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

  private static final int ALIKE = 3;

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

  /**
   * Why no machine of the type can have these GPUs, with what to write instead; empty if one can,
   * or if a type is not known and may be a new one.
   */
  public static Optional<String> whyNot(String machineType, MachineSpec.Gpu gpu) {
    var machine = MachineTypes.predefined(machineType);
    var own = machine.filter(m -> m.gpus() > 0);
    if (own.isPresent())
      return Optional.of(
          "%s has GPUs of its own (%d %s); leave gpu out"
              .formatted(machineType, own.get().gpus(), own.get().gpuModel().orElse("")));
    var known = ALL.get(gpu.type());
    if (known == null) return carrier(gpu.type());
    var family = CatalogEntry.familyOf(machineType);
    if (MachineTypes.shape(machineType).isPresent() && !List.of(FAMILY, "custom").contains(family))
      return Optional.of(
          "is added to machines of family %s alone, not to %s; take one such as %s-standard-8"
              .formatted(FAMILY, machineType, FAMILY));
    return known.counts.contains(gpu.count())
        ? Optional.empty()
        : Optional.of(
            "a machine can have %s of %s, not %d"
                .formatted(known.countsInWords(), gpu.type(), gpu.count()));
  }

  /** For a GPU that only comes with machine types of its own. */
  private static Optional<String> carrier(String type) {
    return MachineTypes.all().stream()
        .filter(m -> m.gpuModel().filter(type::equals).isPresent())
        .findFirst()
        .map(m ->
            "'%s' comes with its machine type and is added to no other; write machine: {type: %s} without gpu"
                .formatted(type, m.type()));
  }

  /** Whether GPUs of that name are known, to be added to machines or as a part of some. */
  public static boolean isKnown(String type) {
    return names().contains(type);
  }

  /** The known GPUs that were probably meant: those that begin alike for longest, if few do. */
  public static List<String> alike(String type) {
    var longest = names().stream().mapToInt(name -> shared(name, type)).max().orElse(0);
    var all = names().stream().filter(name -> shared(name, type) == longest).toList();
    return all.size() > ALIKE ? List.of() : all;
  }

  /** How many letters both begin with. */
  private static int shared(String a, String b) {
    var n = 0;
    while (n < Math.min(a.length(), b.length()) && a.charAt(n) == b.charAt(n)) n++;
    return n;
  }

  private static List<String> names() {
    return Stream.concat(
            ALL.keySet().stream(), MachineTypes.all().stream().flatMap(m -> m.gpuModel().stream()))
        .distinct()
        .sorted()
        .toList();
  }

  static Optional<AttachableGpu> of(String type) {
    return Optional.ofNullable(ALL.get(type));
  }

  /** The counts as people write them: {@code 1, 2, 4}. */
  public String countsInWords() {
    return new TreeSet<>(counts).stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
