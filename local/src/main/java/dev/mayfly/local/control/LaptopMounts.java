package dev.mayfly.local.control;

import dev.mayfly.core.catalog.MachineKind;
import dev.mayfly.core.catalog.MountClients;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What machines can mount that are processes of this computer.
 *
 * @param programs the folders in which the computer has its programs
 * @param mounts what it has mounted, as in {@code /proc/self/mounts}
 */
record LaptopMounts(List<Path> programs, Path mounts) {

  /**
   * A folder plays each volume that has a name, and each machine mounts a bucket that has one in a
   * folder of its own; all else must be mounted already, or the computer must be able to. As {@link
   * dev.mayfly.core.port.Fleet#whyUnmounted}.
   */
  Optional<String> whyUnmounted(ClusterSpec cluster, PoolSpec pool) {
    if (MachineKind.of(pool) == MachineKind.OWN) return Optional.empty();
    return cluster.mountsOf(pool).stream().flatMap(mount -> why(mount).stream()).findFirst();
  }

  private Optional<String> why(Mount mount) {
    var bucket = mount.kind() == Mount.Kind.GCS;
    if (mount.storage().isPresent() ? !bucket : isMounted(mount.path())) return Optional.empty();
    // Machines share the computer's folders, and one that ends takes its mounts with it.
    if (bucket && mount.storage().isEmpty())
      return Optional.of(
          "this laptop's machines mount no bucket on a path that they share; name %s in storage, which each machine mounts in a folder of its own"
              .formatted(mount.source()));
    return MountClients.program(mount.kind())
        .filter(program -> !has(program))
        .map(program -> lacks(mount, program));
  }

  private boolean isMounted(String path) {
    try (var lines = Files.lines(mounts)) {
      return lines.map(line -> line.split(" ")).anyMatch(f -> f.length > 1 && f[1].equals(path));
    } catch (IOException unknown) {
      return false;
    }
  }

  private boolean has(String program) {
    return programs.stream().anyMatch(folder -> Files.isExecutable(folder.resolve(program)));
  }

  private static String lacks(Mount mount, String program) {
    return "this laptop cannot mount %s %s, for it has no program %s; %s"
        .formatted(
            mount.kind() == Mount.Kind.GCS ? "bucket" : "NFS",
            mount.source(),
            program,
            mount.kind() == Mount.Kind.GCS
                ? "install it and start mayfly local again, or leave the mount out here and name objects as the jobs' inputs"
                : "name it in storage, where a folder plays it, or leave it out here");
  }
}
