package dev.mayfly.cli.image;

import dev.mayfly.core.catalog.CudaVersion;
import dev.mayfly.core.catalog.GpuBootImage;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether an image's CUDA runs with the drivers of a cluster's pools.
 *
 * @param errors pools on which it cannot
 * @param notes pools on which parts of it cannot, or whose driver is not known
 */
record DriverCheck(List<String> errors, List<String> notes) {
  DriverCheck {
    errors = List.copyOf(errors);
    notes = List.copyOf(notes);
  }

  static DriverCheck of(CudaVersion cuda, ClusterSpec cluster) {
    var errors = new ArrayList<String>();
    var notes = new ArrayList<String>();
    for (var pool : cluster.pools()) {
      if (pool.visible().gpuMillis() == 0) continue;
      var driver = GpuBootImage.driverOf(pool.machine().image());
      if (pool.provisioning() == Provisioning.STATIC || driver.isEmpty()) {
        notes.add(
            "pool %s: its driver is not known; CUDA %s needs %d or newer, nvidia-smi there shows it"
                .formatted(pool.name(), cuda.version(), cuda.least()));
        continue;
      }
      switch (cuda.on(driver.getAsInt())) {
        case FULL -> {}
        case REDUCED ->
            notes.add(
                "pool %s: CUDA %s runs with its driver %d, without what came with driver %d"
                    .formatted(pool.name(), cuda.version(), driver.getAsInt(), cuda.driver()));
        case NONE ->
            errors.add(
                "pool %s: CUDA %s needs NVIDIA's driver %d or newer, and its boot image has %d; take an older CUDA, or machine.image: %s"
                    .formatted(
                        pool.name(),
                        cuda.version(),
                        cuda.least(),
                        driver.getAsInt(),
                        GpuBootImage.preferred().image()));
      }
    }
    return new DriverCheck(errors, notes);
  }
}
