package dev.mayfly.cli.document;

import dev.mayfly.core.catalog.PlainBootImage;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What machines that start from one of Google's plain images lack and do not install. On a laptop
 * the programs are the computer's.
 */
public final class BootImageWarnings {
  private BootImageWarnings() {}

  /** For each pool whose machines could not do what the cluster asks of them. */
  public static List<InputError> of(ClusterSpec cluster) {
    var all = new ArrayList<InputError>();
    for (var pool : cluster.pools())
      plain(pool)
          .ifPresent(image -> {
            var mounts = cluster.mountsOf(pool);
            if (!PlainBootImage.installs(image)) {
              if (cluster.image().isPresent()) all.add(lacks(pool, image, "docker or podman"));
              if (mounts.stream().anyMatch(BootImageWarnings::isNfs))
                all.add(lacks(pool, image, "a client of NFS"));
            }
            if (mounts.stream().anyMatch(m -> m.kind() == Mount.Kind.GCS))
              all.add(lacks(pool, image, "gcsfuse"));
          });
    return all;
  }

  /** The plain image that the pool's machines start from; empty if it is none of these. */
  static Optional<String> plain(PoolSpec pool) {
    if (pool.provisioning() == Provisioning.STATIC || pool.machine().tpu().isPresent())
      return Optional.empty();
    var gpus = pool.machine().gpu().isPresent() || pool.visible().gpuMillis() > 0;
    var usual = gpus ? Optional.<String>empty() : Optional.of(PlainBootImage.USUAL);
    return pool.machine().image().or(() -> usual).filter(PlainBootImage::is);
  }

  private static boolean isNfs(Mount mount) {
    return mount.kind() == Mount.Kind.NFS || mount.kind() == Mount.Kind.FILESTORE;
  }

  private static InputError lacks(PoolSpec pool, String image, String what) {
    return new InputError(
        "pool " + pool.name() + ": machine.image",
        "%s has no %s, and Mayfly does not install it there; name an image that has it, made with mayfly image bake for example"
            .formatted(image, what));
  }
}
