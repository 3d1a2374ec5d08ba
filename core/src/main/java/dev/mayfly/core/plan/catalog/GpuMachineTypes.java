package dev.mayfly.core.plan.catalog;

import dev.mayfly.core.model.Resources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The machine types that bring their GPUs with them. CPUs, memory and GPUs are those of Google's
 * page "GPU machine types"; its GB are 2^30 bytes.
 */
final class GpuMachineTypes {
  private static final Map<String, Resources> TYPES = types();

  private GpuMachineTypes() {}

  static Optional<Resources> shape(String machineType) {
    return Optional.ofNullable(TYPES.get(machineType));
  }

  private static Map<String, Resources> types() {
    var types = new HashMap<String, Resources>();
    // A100 of 40 GB.
    add(types, "a2-highgpu-1g", 12, 85, 1);
    add(types, "a2-highgpu-2g", 24, 170, 2);
    add(types, "a2-highgpu-4g", 48, 340, 4);
    add(types, "a2-highgpu-8g", 96, 680, 8);
    add(types, "a2-megagpu-16g", 96, 1360, 16);
    // A100 of 80 GB.
    add(types, "a2-ultragpu-1g", 12, 170, 1);
    add(types, "a2-ultragpu-2g", 24, 340, 2);
    add(types, "a2-ultragpu-4g", 48, 680, 4);
    add(types, "a2-ultragpu-8g", 96, 1360, 8);
    // H100, H200 and B200.
    add(types, "a3-highgpu-1g", 26, 234, 1);
    add(types, "a3-highgpu-2g", 52, 468, 2);
    add(types, "a3-highgpu-4g", 104, 936, 4);
    add(types, "a3-highgpu-8g", 208, 1872, 8);
    add(types, "a3-edgegpu-8g", 208, 1872, 8);
    add(types, "a3-megagpu-8g", 208, 1872, 8);
    add(types, "a3-ultragpu-8g", 224, 2952, 8);
    add(types, "a4-highgpu-8g", 224, 3968, 8);
    // L4.
    add(types, "g2-standard-4", 4, 16, 1);
    add(types, "g2-standard-8", 8, 32, 1);
    add(types, "g2-standard-12", 12, 48, 1);
    add(types, "g2-standard-16", 16, 64, 1);
    add(types, "g2-standard-32", 32, 128, 1);
    add(types, "g2-standard-24", 24, 96, 2);
    add(types, "g2-standard-48", 48, 192, 4);
    add(types, "g2-standard-96", 96, 384, 8);
    return Map.copyOf(types);
  }

  private static void add(
      Map<String, Resources> types, String name, int cpus, long memoryGib, int gpus) {
    types.put(name, new Resources(cpus * 1000L, memoryGib << 30, gpus * 1000L, 0));
  }
}
