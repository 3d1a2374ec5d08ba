package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.text.KebabCase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Publishing and formatting for the slice commands. */
final class ManualSlices {
  private ManualSlices() {}

  /**
   * One slice as JSON.
   *
   * @param state how many of the slice's workers are ready, or {@code deleting}
   */
  record SliceView(
      String name,
      String type,
      int count,
      long chips,
      int hosts,
      String provisioning,
      Optional<String> reservation,
      List<String> zones,
      Map<String, String> workers,
      String state) {}

  /** Publishes a document and waits until the cluster reflects it. */
  static ClusterSpec publish(
      CliContext cliContext, String kind, Map<String, ?> fields, Predicate<ClusterSpec> done) {
    var cluster = String.valueOf(fields.get("cluster"));
    return cliContext.publish(
        UserDocuments.of(kind, fields),
        kind + " for " + cluster,
        () -> Optional.of(cliContext.api().cluster(cluster).spec()).filter(done));
  }

  static List<SliceView> of(ClusterSpec spec, List<WorkerStatus> workers) {
    return spec.pools().stream()
        .filter(PoolSpec::manual)
        .map(pool ->
            shown(pool, workers.stream().filter(w -> w.pool().equals(pool.name())).toList()))
        .toList();
  }

  private static SliceView shown(PoolSpec pool, List<WorkerStatus> workers) {
    var tpu = TpuTypes.of(pool.machineType());
    var states =
        workers.stream()
            .collect(
                Collectors.toMap(WorkerStatus::name, WorkerStatus::state, (_, newer) -> newer));
    return new SliceView(
        pool.name(),
        pool.machineType(),
        pool.max(),
        pool.max() * tpu.map(t -> (long) t.chips()).orElse(0L),
        pool.max() * tpu.map(TpuTypes.Tpu::hosts).orElse(0),
        KebabCase.of(pool.provisioning()),
        pool.machine().reservation(),
        pool.zones(),
        states,
        state(pool, workers));
  }

  private static String state(PoolSpec pool, List<WorkerStatus> workers) {
    if (pool.max() == 0) return "deleting";
    var now =
        workers.stream()
            .filter(w -> w.machineType().equals(pool.machineType()))
            .collect(Collectors.groupingBy(WorkerStatus::state, Collectors.counting()));
    var ready = now.getOrDefault("ready", 0L);
    var obsolete = workers.stream().anyMatch(w -> !w.machineType().equals(pool.machineType()));
    var unfit = now.getOrDefault("unfit", 0L);
    var cordoned = now.getOrDefault("cordoned", 0L);
    var rest = obsolete ? ", the previous slice is going" : "";
    return "%d of %d ready%s%s%s"
        .formatted(
            ready,
            pool.max(),
            cordoned > 0 ? ", " + cordoned + " cordoned" : "",
            unfit > 0 ? ", " + unfit + " unfit" : "",
            rest);
  }

  static Table table(List<SliceView> slices) {
    var table = new Table("SLICE", "TYPE", "CHIPS", "HOSTS", "BOUGHT", "ZONE", "STATE").right(2, 3);
    for (var s : slices)
      table.row(
          TableCell.of(s.name()),
          TableCell.of(s.count() + "x" + s.type()),
          TableCell.of(Long.toString(s.chips())),
          TableCell.of(Integer.toString(s.hosts())),
          TableCell.of(s.provisioning() + s.reservation().map(r -> " " + r).orElse("")),
          TableCell.of(String.join(", ", s.zones())),
          TableCell.of(s.state()));
    return table;
  }
}
