package dev.mayfly.core.model.cluster;

import java.util.Optional;

/**
 * The properties of a pool's machines, beyond their type.
 *
 * @param tpu for a pool of Cloud TPU nodes
 * @param gpu devices added to a type that has none of its own, unlike a2 and g2
 * @param image the boot disk's image or image family, as a URL path; the fleet's own by default
 * @param diskGb the boot disk's size; 0: the image's own
 * @param diskType for example {@code pd-balanced}; by default that of the machine's family, {@link
 *     dev.mayfly.core.catalog.BootDisk}
 * @param network for example {@code default}; the deployment's own by default
 * @param reservation that pays, for {@link Provisioning#RESERVED}
 * @param compact whether machines are placed close together, for bandwidth
 * @param gpuSharing how tasks share a GPU; empty in what was stored before there was a choice,
 *     which is {@link GpuSharing#TIME_SLICING}
 */
public record MachineSpec(
    Optional<Tpu> tpu,
    Optional<Gpu> gpu,
    Optional<String> image,
    long diskGb,
    Optional<String> diskType,
    Optional<String> network,
    Optional<String> subnetwork,
    Optional<String> reservation,
    boolean compact,
    Optional<GpuSharing> gpuSharing) {
  /** A machine with nothing beyond its type. */
  public static final MachineSpec PLAIN =
      new MachineSpec(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false);

  /** A machine on which tasks take turns on a GPU that they share. */
  public MachineSpec(
      Optional<Tpu> tpu,
      Optional<Gpu> gpu,
      Optional<String> image,
      long diskGb,
      Optional<String> diskType,
      Optional<String> network,
      Optional<String> subnetwork,
      Optional<String> reservation,
      boolean compact) {
    this(
        tpu,
        gpu,
        image,
        diskGb,
        diskType,
        network,
        subnetwork,
        reservation,
        compact,
        Optional.empty());
  }

  /**
   * A Cloud TPU node.
   *
   * @param type the accelerator type, for example {@code v4-8}
   * @param topology the layout of its chips, where the type leaves a choice
   * @param runtime the software version, for example {@code tpu-ubuntu2204-base}
   */
  public record Tpu(String type, Optional<String> topology, String runtime) {}

  /**
   * GPUs of one kind.
   *
   * @param type for example {@code nvidia-tesla-t4}
   */
  public record Gpu(String type, int count) {}

  /** A spec for Cloud TPU nodes of that type. */
  public static MachineSpec tpu(String type, String runtime) {
    return PLAIN.with(new Tpu(type, Optional.empty(), runtime));
  }

  public MachineSpec with(Tpu node) {
    return new MachineSpec(
        Optional.of(node),
        gpu,
        image,
        diskGb,
        diskType,
        network,
        subnetwork,
        reservation,
        compact,
        gpuSharing);
  }

  public MachineSpec with(Gpu devices) {
    return new MachineSpec(
        tpu,
        Optional.of(devices),
        image,
        diskGb,
        diskType,
        network,
        subnetwork,
        reservation,
        compact,
        gpuSharing);
  }

  /** Whether its machines run NVIDIA's Multi-Process Service. */
  public boolean hasMps() {
    return gpuSharing.filter(GpuSharing.MPS::equals).isPresent();
  }
}
