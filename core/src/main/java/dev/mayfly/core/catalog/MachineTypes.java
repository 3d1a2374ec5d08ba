package dev.mayfly.core.catalog;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The CPUs, the memory and the GPUs of Compute Engine's machine types. Predefined types are those
 * of {@code machine-types.csv}, which names its sources; the name of a custom type says what it
 * has. A type that this does not know needs {@code visible} in its pool. A TPU with one host, such
 * as {@code v4-8}, is a machine type as well, and so is a {@link TpuMachine}.
 */
public final class MachineTypes {
  private static final Pattern CUSTOM =
      Pattern.compile("(?:(n2|n2d|e2|n4)-)?custom-([1-9]\\d{0,2})-([1-9]\\d{2,6})(?:-ext)?");
  private static final double GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  private static final Map<String, CatalogEntry> PREDEFINED = predefined();

  /** Reasons, by what the whole name of a type matches. */
  private static final Map<String, Unusable> UNUSABLE =
      CatalogTable.readWithText("unusable.csv", "pattern", "reason")
          .index(row -> row.word("pattern"), MachineTypes::unusable);

  private record Unusable(Pattern types, String reason) {}

  private MachineTypes() {}

  private static Map<String, CatalogEntry> predefined() {
    var all =
        new LinkedHashMap<>(
            CatalogTable.read(
                    "machine-types.csv", "type", "cpus", "memory_gib", "gpus", "gpu_model")
                .index(row -> row.word("type"), MachineTypes::entry));
    TpuMachine.all().forEach(tpu -> all.put(tpu.type(), tpu.entry()));
    return all;
  }

  private static CatalogEntry entry(CatalogTable.Row row) {
    var gpus = row.numberIfAny("gpus").map(_ -> row.whole("gpus")).orElse(0);
    var cpus = Math.round(row.number("cpus") * 1000);
    var memory = Math.round(row.number("memory_gib") * GIB);
    var model = Optional.of(row.text("gpu_model")).filter(it -> !it.isEmpty());
    if (model.isPresent() != gpus > 0) throw row.wrong("gpus and gpu_model go together");
    var gpuMemory = model.flatMap(GpuMemory::of).orElse(0L);
    return CatalogEntry.machine(
        row.word("type"), new Resources(cpus, memory, gpus * 1000L, 0, gpuMemory), model);
  }

  private static Unusable unusable(CatalogTable.Row row) {
    return new Unusable(Pattern.compile(row.word("pattern")), row.word("reason"));
  }

  /**
   * Why no machine of the type can be a worker, though Google has it; empty for every other type,
   * also for one that is not known.
   */
  public static Optional<String> unusable(String machineType) {
    return UNUSABLE.values().stream()
        .filter(it -> it.types().matcher(machineType).matches())
        .findFirst()
        .map(it -> it.reason().replace("%s", machineType));
  }

  /** All of one machine of the type, or of one host of a slice; empty for one that is not known. */
  public static Optional<Resources> shape(String machineType) {
    var tpu = TpuTypes.of(machineType);
    if (tpu.isPresent()) return tpu.map(TpuTypes.Tpu::host);
    return predefined(machineType).map(CatalogEntry::host).or(() -> custom(machineType));
  }

  /** Whether a pool's machines have GPUs, visible to tasks or not. */
  public static boolean hasGpus(PoolSpec pool) {
    return pool.machine().gpu().isPresent()
        || pool.visible().gpuMillis() > 0
        || shape(pool.machineType()).filter(s -> s.gpuMillis() > 0).isPresent();
  }

  /** Finds a type that has a line in a table: neither a custom one nor one of Cloud TPU. */
  public static Optional<CatalogEntry> predefined(String machineType) {
    return Optional.ofNullable(PREDEFINED.get(machineType));
  }

  /** The known type that was probably meant. */
  public static Optional<String> alike(String machineType) {
    return SpellingSuggestion.closest(machineType, PREDEFINED.keySet());
  }

  /** All of the tables, in their order. */
  static Collection<CatalogEntry> all() {
    return PREDEFINED.values();
  }

  private static Optional<Resources> custom(String machineType) {
    var custom = CUSTOM.matcher(machineType);
    if (!custom.matches()) return Optional.empty();
    return Optional.of(
        Resources.cpu(Integer.parseInt(custom.group(2)), Long.parseLong(custom.group(3)) * MIB));
  }
}
