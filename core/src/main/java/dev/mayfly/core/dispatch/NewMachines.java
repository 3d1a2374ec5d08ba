package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.JobQueue;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Machines of one size before their first lease, launched by a plan that had room for all tasks.
 * They are filled as that plan meant: first with tasks of the job for which they were launched,
 * then with those that take the largest share of the machine. In the order of the queue, small
 * tasks would take the place of the large ones, for which another machine would then be launched.
 *
 * @param all by name
 */
record NewMachines(Resources size, Map<String, WorkerDemand> all) {
  /** The new machines among these workers, by size. */
  static List<NewMachines> alike(Collection<WorkerDemand> workerDemands) {
    var bySize = new LinkedHashMap<Resources, NewMachines>();
    for (var demand : workerDemands) {
      if (demand.pendingSync.worker().nominee().isEmpty()) continue;
      var size = demand.pendingSync.report.total();
      bySize
          .computeIfAbsent(size, _ -> new NewMachines(size, new LinkedHashMap<>()))
          .all
          .put(demand.pendingSync.worker().name(), demand);
    }
    return List.copyOf(bySize.values());
  }

  /** Those that serve the job first. */
  Map<String, WorkerDemand> nominatedFor(JobQueue.Row row) {
    var its = new LinkedHashMap<>(all);
    its.values()
        .removeIf(
            demand -> demand.pendingSync.worker().nominee().filter(row.job()::equals).isEmpty());
    return its;
  }

  /** The rows whose tasks take the largest share of such a machine first. */
  List<JobQueue.Row> hardestFirst(List<JobQueue.Row> rows) {
    return rows.stream()
        .sorted(
            Comparator.comparing(
                (JobQueue.Row row) -> row.need().dominantShare(size), Comparator.reverseOrder()))
        .toList();
  }
}
