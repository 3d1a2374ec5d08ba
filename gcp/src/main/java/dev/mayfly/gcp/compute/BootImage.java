package dev.mayfly.gcp.compute;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a pool's machines start from.
 *
 * @param name a source image or family, as a URL path
 * @param known whether its machines have what the image has, and no more
 */
record BootImage(String name, boolean known) {
  /** Google's images of an operating system as it comes, which have no container engine. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "projects/(debian|ubuntu-os|ubuntu-os-pro|centos|rocky-linux|rhel|suse|opensuse)-cloud/.*");

  /** Machines of one's own, and simulated ones, have what is installed there. */
  static BootImage of(PoolSpec pool, ComputeSettings settings) {
    return new BootImage(
        pool.machine().image().orElse(settings.image()),
        pool.provisioning() != Provisioning.STATIC && settings.standIn().isEmpty());
  }

  /** Why no container runs on it; empty where one may. */
  Optional<String> withoutContainers() {
    return known && PLAIN.matcher(name).matches()
        ? Optional.of("its machines start from " + name + ", which has neither docker nor podman")
        : Optional.empty();
  }
}
