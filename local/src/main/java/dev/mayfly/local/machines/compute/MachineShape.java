package dev.mayfly.local.machines.compute;

import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.catalog.GpuMemory;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Resources;
import dev.mayfly.local.machines.VmSpec;
import java.util.Map;
import java.util.Optional;

/**
 * The resources of a machine type, as the catalogue has them.
 *
 * @param memoryMb the memory in MiB
 * @param gpus the number of GPUs in the type
 * @param gpu the driver's name of the GPU; empty for none
 * @param gpuMemoryMib of one of them; 0 for none
 */
record MachineShape(String name, int cpus, long memoryMb, int gpus, String gpu, long gpuMemoryMib) {
  private static final int CPU = 1000;
  private static final long MIB = 1L << 20;

  /** Types with a part of a CPU show two whole ones to their machine. */
  private static final int CPUS_OF_SHARED_CORES = 2;

  /** The names that NVIDIA's driver gives, by Compute Engine's accelerator types. */
  private static final Map<String, String> DRIVER_NAMES =
      Map.of(
          "nvidia-l4", "NVIDIA L4",
          "nvidia-tesla-a100", "NVIDIA A100-SXM4-40GB",
          "nvidia-a100-80gb", "NVIDIA A100-SXM4-80GB",
          "nvidia-h100-80gb", "NVIDIA H100 80GB HBM3",
          "nvidia-h100-mega-80gb", "NVIDIA H100 80GB HBM3",
          "nvidia-h200-141gb", "NVIDIA H200",
          "nvidia-b200", "NVIDIA B200");

  /** Finds a type by name; empty if unknown, and for one of Cloud TPU, another service. */
  static Optional<MachineShape> of(String name) {
    if (TpuTypes.of(name).isPresent()) return Optional.empty();
    var gpu = MachineTypes.predefined(name).flatMap(CatalogEntry::gpuModel);
    return MachineTypes.shape(name)
        .map(has ->
            new MachineShape(
                name,
                cpus(name, has),
                has.memoryBytes() / MIB,
                (int) (has.gpuMillis() / CPU),
                gpu.map(MachineShape::driverName).orElse(""),
                has.gpuMemoryBytes() / MIB));
  }

  /** The chips in the type; 0 for none. */
  int tpuChips() {
    return VmSpec.tpuChips(name);
  }

  /** Of one GPU of that accelerator type; 0 for a type that is not known. */
  static long gpuMemoryMib(String type) {
    return GpuMemory.of(type).orElse(0L) / MIB;
  }

  private static int cpus(String name, Resources has) {
    var shared = name.equals("e2-micro") || name.equals("e2-small") || name.equals("e2-medium");
    return shared ? CPUS_OF_SHARED_CORES : (int) (has.cpuMillis() / CPU);
  }

  private static String driverName(String model) {
    return DRIVER_NAMES.getOrDefault(model, model.replace("nvidia-", "NVIDIA "));
  }
}
