package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The programs that mount file systems, and the boot images that never have them. */
public final class MountClients {
  private MountClients() {}

  /** The program that mounts file systems of that kind; empty for a folder. */
  public static Optional<String> program(Mount.Kind kind) {
    return switch (kind) {
      case NFS, FILESTORE -> Optional.of("mount.nfs");
      case GCS -> Optional.of("gcsfuse");
      case FOLDER -> Optional.empty();
    };
  }

  /**
   * Why Google's machines of the pool cannot mount what the cluster defines for them, with the
   * remedy: they start from a plain image, on which the agent cannot install the programs. Empty if
   * they can, or if it is not known what their image has.
   */
  public static Optional<String> whyUnmounted(ClusterSpec cluster, PoolSpec pool) {
    return pool.machine()
        .image()
        .filter(image -> MachineKind.of(pool).isCompute())
        .filter(image -> PlainBootImage.is(image) && !PlainBootImage.installs(image))
        .flatMap(image -> lacks(image, cluster.mountsOf(pool)));
  }

  private static Optional<String> lacks(String image, List<Mount> mounts) {
    var programs =
        mounts.stream()
            .flatMap(m -> program(m.kind()).stream())
            .distinct()
            .collect(Collectors.joining(" and "));
    return programs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s has no %s, and Mayfly installs it only where apt-get is; leave the image out, or name one that has it, made with mayfly image bake for example"
                .formatted(image, programs));
  }
}
