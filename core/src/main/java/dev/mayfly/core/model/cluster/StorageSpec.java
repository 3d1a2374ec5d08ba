package dev.mayfly.core.model.cluster;

import java.util.Optional;

/**
 * A file system that a cluster defines once, by a name that its pools use.
 *
 * @param source what it is
 * @param path where machines have it
 * @param readOnly whether machines cannot write to it
 * @param seed what fills it once; empty for nothing
 */
public record StorageSpec(
    String name, StorageSource source, String path, boolean readOnly, Optional<SeedSpec> seed) {
  /** What a machine mounts. */
  public Mount mount() {
    return switch (source) {
      case StorageSource.Filestore it ->
          mount(Mount.Kind.FILESTORE, it.zone().orElse("-") + "/" + name);
      case StorageSource.Nfs it -> mount(Mount.Kind.NFS, it.server() + ":" + it.export());
      case StorageSource.Bucket it -> mount(Mount.Kind.GCS, it.bucket());
    };
  }

  private Mount mount(Mount.Kind kind, String place) {
    return new Mount(kind, place, path, readOnly, Optional.of(name));
  }
}
