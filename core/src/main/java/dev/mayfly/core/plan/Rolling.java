package dev.mayfly.core.plan;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces the workers that are not what their pool asks for any more, a few at a time: a drained
 * worker gets nothing new, what runs on it may end, and the planner launches another in its place.
 *
 * <p><b>Must:</b> while jobs run, never have more of a pool on its way out or in than {@link
 * dev.mayfly.core.model.Rollout#percent}; stop nothing that runs before {@link
 * dev.mayfly.core.model.Rollout#within}; drain nothing before then that could not be replaced,
 * because every zone refuses, or that a job names.
 *
 * <p><b>Goals</b>, first to last: the idle ones; those with the fewest leases; the oldest.
 */
final class Rolling {
  private final View view;
  private final Stock stock;
  private final Set<String> pinned;

  private Rolling(View view) {
    this.view = view;
    stock = new Stock(view.stockouts(), view.now());
    pinned = Census.pinned(view);
  }

  static Map<String, Decision.Drain> drains(View view) {
    var rolling = new Rolling(view);
    var byPool = new LinkedHashMap<String, List<Worker>>();
    for (var w : view.workers()) byPool.computeIfAbsent(w.pool(), _ -> new ArrayList<>()).add(w);
    var drains = new LinkedHashMap<String, Decision.Drain>();
    for (var workers : byPool.values())
      for (var w : rolling.chosen(workers)) drains.put(w.name(), rolling.drain(w));
    return drains;
  }

  private Decision.Drain drain(Worker worker) {
    var cluster = view.cluster();
    return new Decision.Drain(
        worker.name(),
        Versions.stale(cluster, worker).orElseThrow(),
        java.util.Optional.of(Versions.until(cluster, worker, view.now())));
  }

  private List<Worker> chosen(List<Worker> workers) {
    var stale =
        workers.stream()
            .filter(w -> w.state().live() && Versions.stale(view.cluster(), w).isPresent())
            .sorted(
                Comparator.comparing(Rolling::isReady)
                    .thenComparing((Worker w) -> w.held().size())
                    .thenComparing(Worker::createdAt)
                    .thenComparing(Worker::name))
            .toList();
    if (stale.isEmpty()) return List.of();
    var chosen = new ArrayList<Worker>();
    var left = allowance(view, workers);
    for (var worker : stale) {
      // One that is not there yet costs nobody anything.
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
  static int allowance(View view, List<Worker> workers) {
    if (view.jobs().isEmpty()) return workers.size();
    var onTheWay = 0;
    var all = 0;
    for (var w : workers) {
      var leaving = w.state() instanceof WorkerState.Draining;
      if (leaving || w.state().live()) all++;
      if (leaving || (w.state().live() && !isReady(w))) onTheWay++;
    }
    return view.cluster().spec().rollout().atOnce(all) - onTheWay;
  }

  private boolean due(Worker worker) {
    Cluster cluster = view.cluster();
    if (!view.now().isBefore(Versions.until(cluster, worker, view.now()))) return true;
    if (pinned.contains(worker.name())) return false;
    var pool = cluster.spec().pool(worker.pool());
    return view.jobs().isEmpty() || pool.isEmpty() || replaceable(pool.get());
  }

  private boolean replaceable(PoolSpec pool) {
    return stock.best(view.cluster(), pool, Place.ANYWHERE).isPresent();
  }
}
