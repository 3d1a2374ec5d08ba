package dev.mayfly.local.machines.compute;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of a machine type, by the rules of its family.
 *
 * @param memoryMb the memory in MiB
 * @param gpus the number of GPUs in the type
 * @param gpu the driver's name of the GPU; empty for none
 */
record MachineShape(String name, int cpus, long memoryMb, int gpus, String gpu) {
  MachineShape(String name, int cpus, long memoryMb) {
    this(name, cpus, memoryMb, 0, "");
  }

  private static final Pattern NAME =
      Pattern.compile("([a-z][a-z0-9]+)-(standard|highmem|highcpu)-([0-9]{1,3})");

  /** One series of a family: MiB per vCPU and the available vCPU counts. */
  private record Series(int mbPerCpu, Set<Integer> cpus) {}

  private static final Set<Integer> N1 = Set.of(2, 4, 8, 16, 32, 64, 96);
  private static final Set<Integer> N2 = Set.of(2, 4, 8, 16, 32, 48, 64, 80, 96);
  private static final Set<Integer> N2D = Set.of(2, 4, 8, 16, 32, 48, 64, 80, 96);
  private static final Set<Integer> E2 = Set.of(2, 4, 8, 16, 32);
  private static final Set<Integer> C3 = Set.of(4, 8, 22, 44, 88, 176);
  private static final Set<Integer> N4 = Set.of(2, 4, 8, 16, 32, 48, 64, 80);

  private static final Map<String, Series> SERIES =
      Map.ofEntries(
          Map.entry("n1-standard", new Series(3840, Set.of(1, 2, 4, 8, 16, 32, 64, 96))),
          Map.entry("n1-highmem", new Series(6656, N1)),
          Map.entry("n1-highcpu", new Series(922, N1)),
          Map.entry("n2-standard", new Series(4096, plus(N2, 128))),
          Map.entry("n2-highmem", new Series(8192, plus(N2, 128))),
          Map.entry("n2-highcpu", new Series(1024, N2)),
          Map.entry("n2d-standard", new Series(4096, plus(N2D, 128, 224))),
          Map.entry("n2d-highmem", new Series(8192, N2D)),
          Map.entry("n2d-highcpu", new Series(1024, plus(N2D, 128, 224))),
          Map.entry("e2-standard", new Series(4096, E2)),
          Map.entry("e2-highmem", new Series(8192, Set.of(2, 4, 8, 16))),
          Map.entry("e2-highcpu", new Series(1024, E2)),
          Map.entry("c2-standard", new Series(4096, Set.of(4, 8, 16, 30, 60))),
          Map.entry("c3-standard", new Series(4096, C3)),
          Map.entry("c3-highmem", new Series(8192, C3)),
          Map.entry("c3-highcpu", new Series(2048, C3)),
          Map.entry("n4-standard", new Series(4096, N4)),
          Map.entry("n4-highmem", new Series(8192, N4)),
          Map.entry("n4-highcpu", new Series(2048, N4)));

  private static final Map<String, MachineShape> SHARED =
      Map.of(
          "e2-micro", new MachineShape("e2-micro", 2, 1024),
          "e2-small", new MachineShape("e2-small", 2, 2048),
          "e2-medium", new MachineShape("e2-medium", 2, 4096));

  private static final Map<String, MachineShape> ACCELERATED =
      Stream.of(
              new MachineShape("g2-standard-4", 4, 16_384, 1, "NVIDIA L4"),
              new MachineShape("g2-standard-8", 8, 32_768, 1, "NVIDIA L4"),
              new MachineShape("g2-standard-12", 12, 49_152, 1, "NVIDIA L4"),
              new MachineShape("g2-standard-24", 24, 98_304, 2, "NVIDIA L4"),
              new MachineShape("g2-standard-48", 48, 196_608, 4, "NVIDIA L4"),
              new MachineShape("g2-standard-96", 96, 393_216, 8, "NVIDIA L4"),
              new MachineShape("a2-highgpu-1g", 12, 87_040, 1, "NVIDIA A100-SXM4-40GB"),
              new MachineShape("a2-highgpu-2g", 24, 174_080, 2, "NVIDIA A100-SXM4-40GB"),
              new MachineShape("a2-highgpu-4g", 48, 348_160, 4, "NVIDIA A100-SXM4-40GB"),
              new MachineShape("a2-highgpu-8g", 96, 696_320, 8, "NVIDIA A100-SXM4-40GB"),
              new MachineShape("a3-highgpu-8g", 208, 1_916_928, 8, "NVIDIA H100 80GB HBM3"))
          .collect(Collectors.toMap(MachineShape::name, shape -> shape));

  /** Finds a type by name; empty if unknown. */
  static Optional<MachineShape> of(String name) {
    var accelerated = ACCELERATED.get(name);
    if (accelerated != null) {
      return Optional.of(accelerated);
    }
    var shared = SHARED.get(name);
    if (shared != null) {
      return Optional.of(shared);
    }
    var parts = NAME.matcher(name);
    if (!parts.matches()) {
      return Optional.empty();
    }
    var cpus = Integer.parseInt(parts.group(3));
    return Optional.ofNullable(SERIES.get(parts.group(1) + "-" + parts.group(2)))
        .filter(series -> series.cpus().contains(cpus))
        .map(series -> new MachineShape(name, cpus, (long) cpus * series.mbPerCpu()));
  }

  private static Set<Integer> plus(Set<Integer> counts, Integer... more) {
    var all = new HashSet<>(counts);
    all.addAll(Set.of(more));
    return Set.copyOf(all);
  }
}
