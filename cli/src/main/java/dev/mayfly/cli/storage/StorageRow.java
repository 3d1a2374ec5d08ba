package dev.mayfly.cli.storage;

import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.catalog.StoragePrices;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.query.WorkerStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One storage as people and programs see it.
 *
 * @param place where it is: a zone, a server's export, a bucket
 * @param usdPerMonth the list price of what Terraform makes
 * @param workers that have it mounted now
 * @param use as one of them reported it
 */
record StorageRow(
    String name,
    String kind,
    String place,
    String path,
    boolean readOnly,
    List<String> pools,
    Optional<Long> capacityGb,
    Optional<Double> usdPerMonth,
    int workers,
    Optional<MountUse> use) {
  private static final double GIB = 1L << 30;

  static List<StorageRow> of(ClusterSpec cluster, List<WorkerStatus> workers) {
    return cluster.storages().stream().map(s -> of(s, cluster, workers)).toList();
  }

  private static StorageRow of(
      StorageSpec storage, ClusterSpec cluster, List<WorkerStatus> workers) {
    var pools =
        cluster.pools().stream()
            .filter(pool -> cluster.storageOf(pool).contains(storage))
            .map(PoolSpec::name)
            .toList();
    var uses =
        workers.stream()
            .flatMap(w -> w.mounts().stream())
            .filter(u -> u.storage().filter(storage.name()::equals).isPresent())
            .toList();
    var made =
        storage.source() instanceof StorageSource.Filestore it
            ? it.capacityGb().map(gb -> StoragePrices.of(it.tier(), gb).usd())
            : Optional.<Double>empty();
    return new StorageRow(
        storage.name(),
        kind(storage),
        place(storage),
        storage.path(),
        storage.readOnly(),
        pools,
        storage.source() instanceof StorageSource.Filestore it ? it.capacityGb() : Optional.empty(),
        made,
        uses.size(),
        uses.stream().findFirst());
  }

  private static String kind(StorageSpec storage) {
    return storage.source().getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static String place(StorageSpec storage) {
    return switch (storage.source()) {
      case StorageSource.Filestore it -> it.zone().orElse("found by name");
      case StorageSource.Nfs it -> it.server() + ":" + it.export();
      case StorageSource.Bucket it -> "gs://" + it.bucket();
    };
  }

  static Table table(List<StorageRow> rows) {
    var table =
        new Table("STORAGE", "KIND", "PLACE", "PATH", "POOLS", "WORKERS", "USED", "USD/MONTH")
            .right(5, 7)
            .names(0);
    for (var row : rows)
      table.row(
          TableCell.of(row.name()),
          TableCell.of(row.kind()),
          TableCell.of(row.place()),
          TableCell.of(row.path() + (row.readOnly() ? " (read only)" : "")),
          TableCell.of(row.pools().isEmpty() ? "none" : String.join(", ", row.pools())),
          TableCell.of(Integer.toString(row.workers())),
          TableCell.of(row.use().map(StorageRow::used).orElse("-")),
          TableCell.of(
              row.usdPerMonth().map(usd -> String.format(Locale.ROOT, "%.2f", usd)).orElse("-")));
    return table;
  }

  private static String used(MountUse use) {
    return String.format(Locale.ROOT, "%d %% of %,.0f GiB", use.percent(), use.totalBytes() / GIB);
  }
}
