package dev.mayfly.core.plan.catalog;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The accelerator types of Cloud TPU: how many chips and hosts each has. After {@code
 * cloud.google.com/tpu/docs}, the pages of v2, v3, v4, v5e, v5p and v6e. The number in a name
 * counts TensorCores up to v4 and in v5p (two a chip: {@code v4-8} is 4 chips on one host), and
 * chips in {@code v5litepod} and {@code v6e}.
 */
public final class TpuTypes {
  private static final Pattern LAYOUT = Pattern.compile("[1-9]\\d{0,2}(x[1-9]\\d{0,2}){1,2}");

  /** As a pool's {@code tpu.type} may be written. */
  private static final Pattern LIKE = Pattern.compile("v[0-9][a-z0-9]{0,12}-[1-9][0-9]{0,4}");

  private static final long GIB = 1L << 30;

  /** Chips and topology of each size, and what a host with four chips has. */
  private record Generation(int coresPerChip, Map<Integer, String> sizes, int cpus, long gib) {}

  private static final Map<Integer, String> CUBES =
      Map.ofEntries(
          Map.entry(8, "2x2x1"),
          Map.entry(16, "2x2x2"),
          Map.entry(32, "2x2x4"),
          Map.entry(64, "2x4x4"),
          Map.entry(128, "4x4x4"),
          Map.entry(256, "4x4x8"),
          Map.entry(512, "4x8x8"),
          Map.entry(1024, "8x8x8"),
          Map.entry(1536, "8x8x12"),
          Map.entry(2048, "8x8x16"),
          Map.entry(4096, "8x16x16"));

  private static final Map<Integer, String> SQUARES =
      Map.of(
          1, "1x1", 4, "2x2", 8, "2x4", 16, "4x4", 32, "4x8", 64, "8x8", 128, "8x16", 256, "16x16");

  private static final Map<String, Generation> GENERATIONS =
      Map.of(
          "v2",
              new Generation(
                  2, Map.of(8, "2x2", 32, "4x4", 128, "8x8", 256, "8x16", 512, "16x16"), 96, 334),
          "v3",
              new Generation(
                  2,
                  Map.of(
                      8, "2x2", 32, "4x4", 64, "4x8", 128, "8x8", 256, "8x16", 512, "16x16", 1024,
                      "16x32", 2048, "32x32"),
                  96,
                  334),
          "v4", new Generation(2, CUBES, 240, 400),
          "v5p", new Generation(2, CUBES, 208, 448),
          "v5litepod", new Generation(1, SQUARES, 112, 192),
          "v6e", new Generation(1, SQUARES, 180, 720));

  /** Asked for each call of each worker: made once. */
  private static final Map<String, Tpu> TYPES = types();

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
    public int chipsPerHost() {
      return chips / hosts;
    }

    /** Whether its chips can be laid out so: as many of them, in as many dimensions. */
    public boolean takes(String layout) {
      return TpuTypes.chips(layout) == chips
          && layout.split("x").length == topology.split("x").length;
    }
  }

  /** Finds a type by its name; empty for what is no TPU, or one that this table does not know. */
  public static Optional<Tpu> of(String type) {
    return Optional.ofNullable(TYPES.get(type));
  }

  /**
   * The types that take no more of a quota than this one: TPUs of its generation with as many chips
   * or fewer, which share it; of what is no TPU, itself alone.
   */
  public static List<String> upTo(String type) {
    var most = of(type);
    if (most.isEmpty()) return List.of(type);
    return TYPES.values().stream()
        .filter(t -> t.generation().equals(most.get().generation()))
        .filter(t -> t.chips() <= most.get().chips())
        .map(Tpu::type)
        .sorted()
        .toList();
  }

  private static Map<String, Tpu> types() {
    var types = new HashMap<String, Tpu>();
    GENERATIONS.forEach((name, generation) ->
        generation
            .sizes()
            .keySet()
            .forEach(size -> {
              var type = name + "-" + size;
              types.put(type, tpu(type, name, generation, size));
            }));
    return Map.copyOf(types);
  }

  /** The type of a generation whose chips can be laid out so, for example {@code v4} 2x2x4. */
  public static Optional<Tpu> shaped(String generation, String layout) {
    var made = GENERATIONS.get(generation);
    if (made == null) return Optional.empty();
    return of(generation + "-" + chips(layout) * made.coresPerChip()).filter(t -> t.takes(layout));
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

  private static Tpu tpu(String type, String name, Generation generation, int size) {
    var chips = size / generation.coresPerChip();
    // Only the small v5e and v6e types put more or less than four chips on a host.
    var perHost = chips <= 8 && generation.coresPerChip() == 1 ? chips : 4;
    // Memory comes by the chip: generation.gib() is that of a host with four.
    var memory = generation.gib() * GIB * perHost / 4;
    var host = new Resources(1000L * cpus(name, generation, perHost), memory, 0, perHost);
    return new Tpu(
        type, name, chips, chips / perHost, requireNonNull(generation.sizes().get(size)), host);
  }

  private static int cpus(String name, Generation generation, int perHost) {
    return switch (perHost) {
      case 1 -> name.equals("v6e") ? 44 : 24;
      case 8 -> name.equals("v6e") ? 180 : 224;
      default -> generation.cpus();
    };
  }
}
