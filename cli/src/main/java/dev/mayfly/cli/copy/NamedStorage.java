package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a path of a cluster's storage can be reached: a bucket by itself, everything else on a
 * worker that has it mounted.
 */
record NamedStorage(ClusterSpec cluster, List<WorkerStatus> workers) {
  NamedStorage {
    workers = List.copyOf(workers);
  }

  /** A worker, and where it has the storage. */
  private record Mounted(WorkerStatus worker, MountUse use) {}

  /**
   * Throws {@link CommandException} with the remedy if it cannot be reached.
   *
   * @param path in the storage
   */
  CopyPlace place(String name, String path) {
    var storage = cluster.storage(name).orElseThrow(() -> unknown(name));
    var inside = inside(name, path);
    if (storage.source() instanceof StorageSource.Bucket it)
      return new CopyPlace.InBucket(ObjectUrl.of("gs://" + it.bucket() + "/" + inside));
    var mounted = mounted(storage);
    return new CopyPlace.OnMachine(mounted.worker().name(), mounted.use().path() + "/" + inside);
  }

  private CommandException unknown(String name) {
    var names = cluster.storages().stream().map(StorageSpec::name).toList();
    var has = names.isEmpty() ? "it has none" : "it has " + String.join(", ", names);
    return CommandException.notFound(
        "cluster %s has no storage %s; %s%s; a local name with a colon is written ./%s:…"
            .formatted(cluster.name(), name, has, SpellingSuggestion.hint(name, names), name));
  }

  /** A path in the storage begins at its root, and does not leave it. */
  private static String inside(String name, String path) {
    var plain = path.replaceFirst("^/+", "");
    if (List.of(plain.split("/", -1)).contains(".."))
      throw CommandException.input(
          "%s:%s leads out of the storage; write a path without ..".formatted(name, path));
    return plain;
  }

  private Mounted mounted(StorageSpec storage) {
    return workers.stream()
        .filter(w -> w.state().equals("ready") || w.state().equals("draining"))
        .flatMap(w -> uses(w, storage))
        .min(
            Comparator.comparing((Mounted m) -> m.worker().state())
                .reversed()
                .thenComparing(m -> m.worker().name()))
        .orElseThrow(() -> nobody(storage));
  }

  private static Stream<Mounted> uses(WorkerStatus worker, StorageSpec storage) {
    return worker.mounts().stream()
        .filter(use -> use.storage().filter(storage.name()::equals).isPresent())
        .map(use -> new Mounted(worker, use));
  }

  private CommandException nobody(StorageSpec storage) {
    var pools =
        cluster.pools().stream()
            .filter(pool -> cluster.storageOf(pool).contains(storage))
            .map(pool -> pool.name())
            .toList();
    if (pools.isEmpty())
      return CommandException.notFound(
          "no pool of cluster %s mounts storage %s; add it to a pool's storage"
              .formatted(cluster.name(), storage.name()));
    return new CommandException(
        CommandExitCode.UNAVAILABLE,
        "no worker has storage %1$s mounted now; start one with mayfly dev --pool %2$s --for 1h, and try again when it is ready"
            .formatted(storage.name(), pools.getFirst()));
  }
}
