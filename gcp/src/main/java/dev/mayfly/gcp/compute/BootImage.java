package dev.mayfly.gcp.compute;

import dev.mayfly.core.catalog.GpuBootImage;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.PlainBootImage;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;

/**
 * The boot image of a pool's machines.
 *
 * @param name a source image or family, as a URL path
 * @param diskGb the boot disk's size unless the pool says otherwise
 * @param known whether machines have exactly what the image contains
 */
record BootImage(String name, long diskGb, boolean known) {
  /** Static workers and simulated machines have whatever is installed there. */
  static BootImage of(PoolSpec pool, ComputeSettings settings) {
    var known = pool.provisioning() != Provisioning.STATIC && settings.standIn().isEmpty();
    var named = pool.machine().image();
    if (named.isPresent()) return new BootImage(named.get(), settings.diskGb(), known);
    var tpus = TpuMachine.image(pool.machineType());
    if (tpus.isPresent())
      return new BootImage(tpus.get(), Math.max(TpuMachine.DISK_GB, settings.diskGb()), known);
    if (!MachineTypes.hasGpus(pool))
      return new BootImage(settings.image(), settings.diskGb(), known);
    // Machines with GPUs need a driver, and most of their tasks a container engine.
    var usual = GpuBootImage.preferred();
    return new BootImage(usual.image(), Math.max(usual.diskGb(), settings.diskGb()), known);
  }

  /**
   * Why no container can run on it; empty if one may.
   *
   * @param needed whether the cluster names an image, for which machines install an engine
   */
  Optional<String> whyNoContainers(boolean needed) {
    return known && PlainBootImage.is(name) && !(needed && PlainBootImage.installs(name))
        ? Optional.of("its machines start from " + name + ", which has neither docker nor podman")
        : Optional.empty();
  }
}
