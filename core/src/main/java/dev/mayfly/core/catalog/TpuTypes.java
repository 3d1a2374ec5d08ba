package dev.mayfly.core.catalog;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The accelerator types of Cloud TPU: how many chips and hosts each has. They are those of {@code
 * tpu-types.csv}, which names its sources. The number in a name counts TensorCores up to v4 and in
 * v5p (two a chip: {@code v4-8} is 4 chips on one host), and chips in {@code v5litepod} and {@code
 * v6e}.
 */
public final class TpuTypes {
  private static final Pattern LAYOUT = Pattern.compile("[1-9]\\d{0,2}(x[1-9]\\d{0,2}){1,2}");

  /** As a pool's {@code tpu.type} may be written. */
  private static final Pattern LIKE = Pattern.compile("v[0-9][a-z0-9]{0,12}-[1-9][0-9]{0,4}");

  private static final long GIB = 1L << 30;

  /**
   * The runtime version that hosts of v2 to v4 start from where the pool names none; no newer
   * generation starts from it. After docs.cloud.google.com/tpu/docs/runtimes.
   */
  public static final String OLDER_RUNTIME = "tpu-ubuntu2204-base";

  private static final Map<String, String> NEWER_RUNTIMES =
      Map.of("v5litepod", "v2-alpha-tpuv5-lite", "v5p", "v2-alpha-tpuv5", "v6e", "v2-alpha-tpuv6e");

  private static final Map<String, Tpu> TYPES =
      CatalogTable.read(
              "tpu-types.csv",
              "type",
              "generation",
              "chips",
              "hosts",
              "topology",
              "host_cpus",
              "host_memory_gib")
          .index(row -> row.word("type"), TpuTypes::tpu);

  private TpuTypes() {}

  /**
   * One accelerator type.
   *
   * @param generation such as {@code v4} or {@code v5litepod}
   * @param hosts the VMs of a slice; each runs an agent
   * @param host what one of its VMs has, chips included
   */
  public record Tpu(
      String type, String generation, int chips, int hosts, String topology, Resources host) {
    /** Whether its chips can be laid out so: as many of them, in as many dimensions. */
    public boolean takes(String layout) {
      return TpuTypes.chips(layout) == chips
          && layout.split("x").length == topology.split("x").length;
    }

    /** The runtime version of its hosts where the pool names none: {@code v2-alpha-tpuv6e}. */
    public String runtime() {
      return NEWER_RUNTIMES.getOrDefault(generation, OLDER_RUNTIME);
    }

    /** Whether its hosts can start from the version, as far as this is known. */
    public boolean startsFrom(String version) {
      return !(version.equals(OLDER_RUNTIME) && NEWER_RUNTIMES.containsKey(generation));
    }
  }

  /** Finds a TPU type by its name; empty for every name that the table lacks. */
  public static Optional<Tpu> of(String type) {
    return Optional.ofNullable(TYPES.get(type));
  }

  /** What was probably meant by a name that the table lacks: {@code did you mean 'v5p-8'?}. */
  public static String hint(String type) {
    var generation = CatalogEntry.familyOf(type);
    var generations = TYPES.values().stream().map(Tpu::generation).distinct().sorted().toList();
    var same = TYPES.values().stream().filter(t -> t.generation().equals(generation));
    return SpellingSuggestion.closest(type, same.map(Tpu::type).toList())
        .map(right -> "did you mean '" + right + "'?")
        .orElseGet(() -> "known are those of " + String.join(", ", generations));
  }

  /**
   * The types that need at most as much of a quota as this one: TPUs of its generation and of the
   * same service with at most as many chips. For every other machine type: the type itself.
   */
  public static List<String> upTo(String type) {
    var machine = TpuMachine.of(type);
    if (machine.isPresent())
      return TpuMachine.all().stream()
          .filter(it -> it.generation().equals(machine.get().generation()))
          .filter(it -> it.chips() <= machine.get().chips())
          .map(TpuMachine::type)
          .sorted()
          .toList();
    var most = of(type);
    if (most.isEmpty()) return List.of(type);
    return TYPES.values().stream()
        .filter(t -> t.generation().equals(most.get().generation()))
        .filter(t -> t.chips() <= most.get().chips())
        .map(Tpu::type)
        .sorted()
        .toList();
  }

  /** All of the table, in its order. */
  static Collection<Tpu> all() {
    return TYPES.values();
  }

  /** The type of a generation whose chips can be laid out so, for example {@code v4} 2x2x4. */
  public static Optional<Tpu> shaped(String generation, String layout) {
    return TYPES.values().stream()
        .filter(t -> t.generation().equals(generation))
        .filter(t -> t.takes(layout))
        .findFirst();
  }

  /** How many chips a topology such as {@code 2x2x4} has; 0 for what is none. */
  private static long chips(String layout) {
    if (!LAYOUT.matcher(layout).matches()) return 0;
    return Stream.of(layout.split("x")).mapToLong(Long::parseLong).reduce(1, (a, b) -> a * b);
  }

  /**
   * Whether it is the name of a Cloud TPU type, also of one that this table does not know: no type
   * of Compute Engine is named like them.
   */
  public static boolean isName(String type) {
    return LIKE.matcher(type).matches();
  }

  /**
   * Whether a machine of the type, of whatever service, has one host: a task can run on it alone.
   */
  public static boolean isOneHost(String type) {
    return of(type).filter(t -> t.hosts() > 1).isEmpty();
  }

  private static Tpu tpu(CatalogTable.Row row) {
    var chips = row.whole("chips");
    var hosts = row.whole("hosts");
    var topology = row.word("topology");
    if (hosts == 0 || chips % hosts != 0) throw row.wrong("its chips are not those of its hosts");
    if (chips(topology) != chips) throw row.wrong("its topology has other chips");
    var memory = row.whole("host_memory_gib") * GIB;
    var host = new Resources(row.whole("host_cpus") * 1000L, memory, 0, chips / hosts);
    return new Tpu(row.word("type"), row.word("generation"), chips, hosts, topology, host);
  }
}
