package dev.mayfly.core.plan.catalog;

import dev.mayfly.core.model.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The CPUs, the memory and the GPUs of Compute Engine's general machine types, by the rules of
 * their names: {@code n2-standard-4} has 4 CPUs of 4 GB each. Types that bring GPUs are listed one
 * by one, after Google's page "GPU machine types" (cloud.google.com/compute/docs/gpus). A type that
 * this does not know needs {@code visible} in its pool. A TPU with one host, such as {@code v4-8},
 * is a machine type as well.
 */
public final class MachineTypes {
  private static final Pattern NAME =
      Pattern.compile("([a-z0-9]+)-(standard|highmem|highcpu)-([1-9]\\d{0,2})");
  private static final Pattern CUSTOM =
      Pattern.compile("(?:(n2|n2d|e2|n4)-)?custom-([1-9]\\d{0,2})-([1-9]\\d{2,6})(?:-ext)?");
  private static final long MI = 1L << 20;

  /**
   * Which sizes a family has, and tenths of MiB a CPU in its standard, highmem and highcpu types; 0
   * where none.
   */
  private record Family(Set<Integer> sizes, int standard, int highmem, int highcpu) {
    long tenths(String kind) {
      return switch (kind) {
        case "standard" -> standard;
        case "highmem" -> highmem;
        default -> highcpu;
      };
    }
  }

  private static final Map<String, Family> FAMILIES =
      Map.of(
          "n1", new Family(Set.of(1, 2, 4, 8, 16, 32, 64, 96), 38_400, 66_560, 9_216),
          "n2", new Family(Set.of(2, 4, 8, 16, 32, 48, 64, 80, 96, 128), 40_960, 81_920, 10_240),
          "n2d",
              new Family(Set.of(2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224), 40_960, 81_920, 10_240),
          "e2", new Family(Set.of(2, 4, 8, 16, 32), 40_960, 81_920, 10_240),
          "c2", new Family(Set.of(4, 8, 16, 30, 60), 40_960, 0, 0),
          "c3", new Family(Set.of(4, 8, 22, 44, 88, 176), 40_960, 81_920, 20_480),
          "n4", new Family(Set.of(2, 4, 8, 16, 32, 48, 64, 80), 40_960, 81_920, 20_480));

  /** Those that the rule is wrong about, and e2's shared cores. */
  private static final Map<String, Resources> ODD =
      Map.ofEntries(
          Map.entry("e2-micro", Resources.cpu(0.25, 1024 * MI)),
          Map.entry("e2-small", Resources.cpu(0.5, 2048 * MI)),
          Map.entry("e2-medium", Resources.cpu(1, 4096 * MI)),
          Map.entry("n2-highmem-128", Resources.cpu(128, 864 * 1024 * MI)));

  /** Names that follow the rule of a family that does have other sizes. */
  private static final Set<String> NOT_MADE =
      Set.of(
          "n1-highmem-1",
          "n1-highcpu-1",
          "n2-highcpu-128",
          "n2d-highmem-128",
          "n2d-highmem-224",
          "e2-highmem-32");

  /** Families with ARM processors, after cloud.google.com/compute/docs/instances/arm-on-compute. */
  private static final Pattern ARM = Pattern.compile("(t2a|c4a|n4a|a4x)(-.*)?");

  private static final Pattern TPU7X = Pattern.compile("(tpu7x|v7x|v7)-.*");

  private MachineTypes() {}

  /**
   * Why no machine of the type can be a worker, though Google has it; empty for every other type,
   * also for one that is not known.
   */
  public static Optional<String> unusable(String machineType) {
    if (ARM.matcher(machineType).matches())
      return Optional.of(
          "'%s' has ARM processors, and the agent's bundle runs on x86-64 alone; take one such as n2-standard-4"
              .formatted(machineType));
    if (TPU7X.matcher(machineType).matches())
      return Optional.of(
          "'%s': Google offers TPU7x through Kubernetes Engine alone, and Mayfly orders from Cloud TPU; take one such as v6e-8 or v5p-8"
              .formatted(machineType));
    return Optional.empty();
  }

  /** All of one machine of the type, or of one host of a slice; empty for one that is not known. */
  public static Optional<Resources> shape(String machineType) {
    var tpu = TpuTypes.of(machineType);
    if (tpu.isPresent()) return tpu.map(TpuTypes.Tpu::host);
    var accelerated = GpuMachineTypes.shape(machineType);
    if (accelerated.isPresent()) return accelerated;
    if (ODD.containsKey(machineType)) return Optional.of(ODD.get(machineType));
    var custom = CUSTOM.matcher(machineType);
    if (custom.matches())
      return Optional.of(
          Resources.cpu(Integer.parseInt(custom.group(2)), Long.parseLong(custom.group(3)) * MI));
    return NOT_MADE.contains(machineType) ? Optional.empty() : byRule(machineType);
  }

  private static Optional<Resources> byRule(String machineType) {
    var name = NAME.matcher(machineType);
    if (!name.matches()) return Optional.empty();
    var family = FAMILIES.get(name.group(1));
    var cpus = Integer.parseInt(name.group(3));
    if (family == null || !family.sizes().contains(cpus)) return Optional.empty();
    var each = family.tenths(name.group(2));
    return each == 0 ? Optional.empty() : Optional.of(Resources.cpu(cpus, cpus * each / 10 * MI));
  }
}
