package dev.mayfly.cli;

import dev.mayfly.cli.show.Cell;
import dev.mayfly.cli.show.Table;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.wire.Documents;
import dev.mayfly.wire.text.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What the commands about slices share: publishing, and how a slice is shown. */
final class Slices {
  private Slices() {}

  /**
   * One slice as JSON.
   *
   * @param state what each of its workers is, or {@code wanted} while there is none
   */
  record Shown(
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

  /** Publishes, and waits until the cluster is as the message wants it. */
  static ClusterSpec publish(
      Session session, String kind, Map<String, ?> fields, Predicate<ClusterSpec> done) {
    var cluster = String.valueOf(fields.get("cluster"));
    var message = session.topics().publish(Documents.of(kind, fields));
    return session
        .acceptance()
        .await(
            message,
            kind + " for " + cluster,
            () -> Optional.of(session.api().cluster(cluster).spec()).filter(done));
  }

  static List<Shown> of(ClusterSpec spec, List<WorkerView> workers) {
    return spec.pools().stream()
        .filter(PoolSpec::manual)
        .map(pool ->
            shown(pool, workers.stream().filter(w -> w.pool().equals(pool.name())).toList()))
        .toList();
  }

  private static Shown shown(PoolSpec pool, List<WorkerView> workers) {
    var tpu = TpuTypes.of(pool.machineType());
    var states = workers.stream().collect(Collectors.toMap(WorkerView::name, WorkerView::state));
    return new Shown(
        pool.name(),
        pool.machineType(),
        pool.max(),
        pool.max() * tpu.map(t -> (long) t.chips()).orElse(0L),
        pool.max() * tpu.map(TpuTypes.Tpu::hosts).orElse(0),
        Words.of(pool.provisioning()),
        pool.machine().reservation(),
        pool.zones(),
        states,
        state(pool, workers));
  }

  private static String state(PoolSpec pool, List<WorkerView> workers) {
    if (pool.max() == 0) return "deleting";
    var now =
        workers.stream()
            .filter(w -> w.machineType().equals(pool.machineType()))
            .collect(Collectors.groupingBy(WorkerView::state, Collectors.counting()));
    var ready = now.getOrDefault("ready", 0L);
    var before = workers.stream().anyMatch(w -> !w.machineType().equals(pool.machineType()));
    var unfit = now.getOrDefault("unfit", 0L);
    var rest = before ? ", the one before it goes" : "";
    return "%d of %d ready%s%s"
        .formatted(ready, pool.max(), unfit > 0 ? ", " + unfit + " unfit" : "", rest);
  }

  static Table table(List<Shown> slices) {
    var table = new Table("SLICE", "TYPE", "CHIPS", "HOSTS", "BOUGHT", "ZONE", "STATE").right(2, 3);
    for (var s : slices)
      table.row(
          Cell.of(s.name()),
          Cell.of(s.count() + "x" + s.type()),
          Cell.of(Long.toString(s.chips())),
          Cell.of(Integer.toString(s.hosts())),
          Cell.of(s.provisioning() + s.reservation().map(r -> " " + r).orElse("")),
          Cell.of(String.join(", ", s.zones())),
          Cell.of(s.state()));
    return table;
  }
}
