package dev.mayfly.gcp.compute;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The boot image of a pool's machines.
 *
 * @param name a source image or family, as a URL path
 * @param known whether machines have exactly what the image contains
 */
record BootImage(String name, boolean known) {
  /** Google's plain operating system images, which have no container engine. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "projects/(debian|ubuntu-os|ubuntu-os-pro|centos|rocky-linux|rhel|suse|opensuse)-cloud/.*");

  /** Static workers and simulated machines have whatever is installed there. */
  static BootImage of(PoolSpec pool, ComputeSettings settings) {
    return new BootImage(
        pool.machine().image().orElse(settings.image()),
        pool.provisioning() != Provisioning.STATIC && settings.standIn().isEmpty());
  }

  /** Why no container can run on it; empty if one may. */
  Optional<String> withoutContainers() {
    return known && PLAIN.matcher(name).matches()
        ? Optional.of("its machines start from " + name + ", which has neither docker nor podman")
        : Optional.empty();
  }
}
