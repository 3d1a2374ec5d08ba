package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces workers that no longer match their pool, a few at a time: a drained worker gets no new
 * work, its running tasks may end, and the planner launches a replacement.
 *
 * <p><b>Must:</b> while jobs run, never have more of a pool leaving or in flight than {@link
 * dev.mayfly.core.model.cluster.RolloutSpec#percent}; stop no running task before {@link
 * dev.mayfly.core.model.cluster.RolloutSpec#within}; before then, drain no worker that a job names
 * or that could not be replaced because every zone refuses; replace no cordoned one.
 *
 * <p><b>Goals</b>, first to last: idle workers; those with the fewest leases; the oldest.
 */
final class RollingReplacement {
  private final ClusterSnapshot clusterSnapshot;
  private final ZoneAvailability zoneAvailability;
  private final Set<String> pinned;

  private RollingReplacement(ClusterSnapshot clusterSnapshot) {
    this.clusterSnapshot = clusterSnapshot;
    zoneAvailability = new ZoneAvailability(clusterSnapshot.stockouts(), clusterSnapshot.now());
    pinned = ClusterInventory.pinned(clusterSnapshot);
  }

  static Map<String, PlanDecision.Drain> drains(ClusterSnapshot clusterSnapshot) {
    var rollingReplacement = new RollingReplacement(clusterSnapshot);
    var byPool = new LinkedHashMap<String, List<Worker>>();
    for (var w : clusterSnapshot.workers())
      byPool.computeIfAbsent(w.pool(), _ -> new ArrayList<>()).add(w);
    var drains = new LinkedHashMap<String, PlanDecision.Drain>();
    for (var workers : byPool.values())
      for (var w : rollingReplacement.chosen(workers))
        drains.put(w.name(), rollingReplacement.drain(w));
    return drains;
  }

  private PlanDecision.Drain drain(Worker worker) {
    var cluster = clusterSnapshot.cluster();
    return new PlanDecision.Drain(
        worker.name(),
        PoolVersions.replacement(cluster, worker).orElseThrow(),
        Optional.of(PoolVersions.until(cluster, worker, clusterSnapshot.now())));
  }

  private List<Worker> chosen(List<Worker> workers) {
    var stale =
        workers.stream()
            .filter(w ->
                w.state().live() && PoolVersions.stale(clusterSnapshot.cluster(), w).isPresent())
            .filter(w -> !ClusterInventory.isCordoned(clusterSnapshot, w))
            .sorted(
                Comparator.comparing(RollingReplacement::isReady)
                    .thenComparing((Worker w) -> w.held().size())
                    .thenComparing(Worker::createdAt)
                    .thenComparing(Worker::name))
            .toList();
    if (stale.isEmpty()) return List.of();
    var chosen = new ArrayList<Worker>();
    var left = allowance(clusterSnapshot, workers);
    for (var worker : stale) {
      // A worker that is not ready yet costs no job anything.
      if (!isReady(worker)) chosen.add(worker);
      else if (left > 0 && due(worker)) {
        chosen.add(worker);
        left--;
      }
    }
    return chosen;
  }

  private static boolean isReady(Worker worker) {
    return worker.state() instanceof WorkerState.Ready;
  }

  /** How many more may leave now. */
  static int allowance(ClusterSnapshot clusterSnapshot, List<Worker> workers) {
    if (clusterSnapshot.jobs().isEmpty()) return workers.size();
    var onTheWay = 0;
    var all = 0;
    for (var w : workers) {
      var leaving = w.state() instanceof WorkerState.Draining;
      if (leaving || w.state().live()) all++;
      if (leaving || (w.state().live() && !isReady(w))) onTheWay++;
    }
    return clusterSnapshot.cluster().spec().rollout().atOnce(all) - onTheWay;
  }

  private boolean due(Worker worker) {
    Cluster cluster = clusterSnapshot.cluster();
    if (!clusterSnapshot.now().isBefore(PoolVersions.until(cluster, worker, clusterSnapshot.now())))
      return true;
    if (pinned.contains(worker.name())) return false;
    var pool = cluster.spec().pool(worker.pool());
    return clusterSnapshot.jobs().isEmpty() || pool.isEmpty() || replaceable(pool.get());
  }

  private boolean replaceable(PoolSpec pool) {
    return zoneAvailability
        .bestZone(clusterSnapshot.cluster(), pool, Placement.ANYWHERE::allowsZone, _ -> 0)
        .isPresent();
  }
}
