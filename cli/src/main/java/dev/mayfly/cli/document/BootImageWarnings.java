package dev.mayfly.cli.document;

import dev.mayfly.core.catalog.MachineKind;
import dev.mayfly.core.catalog.PlainBootImage;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What machines that start from one of Google's plain images lack and do not install: an engine,
 * without which a job with an image is refused. On a laptop the programs are the computer's.
 */
public final class BootImageWarnings {
  private BootImageWarnings() {}

  /** For each pool whose machines could not do what the cluster asks of them. */
  public static List<InputError> of(ClusterSpec cluster) {
    var all = new ArrayList<InputError>();
    for (var pool : cluster.pools())
      plain(pool)
          .ifPresent(image -> {
            if (cluster.image().isPresent() && !PlainBootImage.installs(image))
              all.add(lacks(pool, image));
          });
    return all;
  }

  /** The plain image that the pool's machines start from; empty if it is none of these. */
  static Optional<String> plain(PoolSpec pool) {
    return Optional.of(pool)
        .filter(it -> MachineKind.of(it).isCompute())
        .map(PlainBootImage::of)
        .filter(PlainBootImage::is);
  }

  private static InputError lacks(PoolSpec pool, String image) {
    return new InputError(
        "pool " + pool.name() + ": machine.image",
        "%s has no docker or podman, and Mayfly does not install it there; name an image that has it, made with mayfly image bake for example"
            .formatted(image));
  }
}
