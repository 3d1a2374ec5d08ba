package dev.mayfly.core.catalog;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A TPU that is a machine of Compute Engine, of one host. It is ordered, paid for and deleted as
 * every other machine there, while Cloud TPU has the types of {@link TpuTypes}. After {@code
 * tpu-machines.csv} and {@code tpu-families.csv}, which name their sources.
 *
 * @param entry with the machine type and all that one machine has
 * @param tpu the TPU type with the same chips on one host, as {@code v6e-8}; empty if there is none
 * @param generation such as {@code v6e}
 * @param threadsPerCore what its order must say; empty for what Compute Engine takes
 */
public record TpuMachine(
    CatalogEntry entry, Optional<String> tpu, String generation, OptionalInt threadsPerCore) {
  /**
   * What the boot disk has unless the pool says otherwise: containers of TPU programs are large.
   */
  public static final int DISK_GB = 100;

  private static final long GIB = 1L << 30;

  private static final Map<String, TpuMachine> ALL =
      CatalogTable.read(
              "tpu-machines.csv",
              "type",
              "tpu",
              "generation",
              "chips",
              "topology",
              "cpus",
              "memory_gib",
              "threads_per_core")
          .index(row -> row.word("type"), TpuMachine::read);

  private static final Map<String, Family> FAMILIES =
      CatalogTable.read("tpu-families.csv", "family", "image", "quota", "spot_quota")
          .index(row -> row.word("family"), TpuMachine::family);

  /** What machines have in common whose types begin alike. */
  private record Family(String image, String quota, Optional<String> spotQuota) {}

  private static Family family(CatalogTable.Row row) {
    return new Family(
        row.word("image"),
        row.word("quota"),
        Optional.of(row.text("spot_quota")).filter(name -> !name.isEmpty()));
  }

  private static TpuMachine read(CatalogTable.Row row) {
    var threads = row.text("threads_per_core");
    var host =
        new Resources(
            row.whole("cpus") * 1000L, row.whole("memory_gib") * GIB, 0, row.whole("chips"));
    return new TpuMachine(
        new CatalogEntry(
            row.word("type"), host, 1, Optional.empty(), Optional.of(row.word("topology"))),
        Optional.of(row.text("tpu")).filter(name -> !name.isEmpty()),
        row.word("generation"),
        threads.isEmpty() ? OptionalInt.empty() : OptionalInt.of(row.whole("threads_per_core")));
  }

  /** All of them, in the order of the table. */
  static Collection<TpuMachine> all() {
    return ALL.values();
  }

  /** Finds a machine type of the table. */
  public static Optional<TpuMachine> of(String machineType) {
    return Optional.ofNullable(ALL.get(machineType));
  }

  /** The machine with the chips of a TPU type; empty for what Compute Engine lacks. */
  public static Optional<TpuMachine> ofTpu(String type) {
    return ALL.values().stream().filter(it -> it.tpu.filter(type::equals).isPresent()).findFirst();
  }

  /** Whether Compute Engine has TPUs of a generation, of one host or several. */
  public static boolean hasGeneration(String generation) {
    return ALL.values().stream().anyMatch(it -> it.generation.equals(generation));
  }

  /**
   * What machines of the type start from; empty for a type that has no TPU. Types that the table of
   * machines lacks have the image of those whose names begin alike.
   */
  public static Optional<String> image(String machineType) {
    return family(machineType).map(Family::image);
  }

  /** The quotas of Compute Engine that the chips take, in the order in which they are taken. */
  public static List<String> quotas(String machineType, Provisioning how) {
    var usual = family(machineType).map(Family::quota).stream();
    var spot = family(machineType).flatMap(Family::spotQuota);
    return switch (how) {
      case SPOT -> spot.map(Stream::of).orElse(usual).toList();
      case FLEX_START -> Stream.concat(spot.stream(), usual).toList();
      case ON_DEMAND -> usual.toList();
      case RESERVED, STATIC -> List.of();
    };
  }

  private static Optional<Family> family(String machineType) {
    return Optional.ofNullable(FAMILIES.get(CatalogEntry.familyOf(machineType)));
  }

  /** Compute Engine's name of the machine. */
  public String type() {
    return entry.type();
  }

  public long chips() {
    return entry.chips();
  }
}
