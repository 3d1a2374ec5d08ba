package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.capacity.PoolVersions;
import dev.mayfly.core.plan.veto.LabelText;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Explains where a job may run and why not elsewhere, and which workers will be replaced. */
final class PlacementReasons {
  private PlacementReasons() {}

  /** Empty for a job that may use every zone of its cluster. */
  static Optional<JobExplanation.Reason> explain(Placement placement, ClusterSpec cluster) {
    if (placement.locations().isEmpty()) return Optional.empty();
    var here = new TreeSet<String>();
    var elsewhere = new TreeSet<String>();
    for (var pool : cluster.pools())
      for (var zone : pool.zones())
        (placement.allowsZone(zone) ? here : elsewhere).add(zoneAndPool(pool, zone));
    if (elsewhere.isEmpty()) return Optional.empty();
    return Optional.of(
        new JobExplanation.Reason(
            "region",
            "its buckets are in %s, and so it runs in %s and not in %s"
                .formatted(
                    String.join(" and ", placement.locations()),
                    listed(List.copyOf(here)),
                    listed(List.copyOf(elsewhere)))));
  }

  /** Which live workers have the labels that a job asks for; empty for a job that asks for none. */
  static Optional<JobExplanation.Reason> labels(Placement placement, List<Worker> workers) {
    if (placement.labels().isEmpty()) return Optional.empty();
    var live = workers.stream().filter(w -> w.state().live()).toList();
    var matching =
        live.stream().filter(w -> placement.allowsLabels(w.labels())).map(Worker::name).toList();
    return Optional.of(
        new JobExplanation.Reason(
            "labels",
            "it asks for the labels %s, which %s"
                .formatted(
                    LabelText.of(placement.labels()),
                    matching.isEmpty()
                        ? "no live worker has, of %,d".formatted(live.size())
                        : "%d of %s %s: %s"
                            .formatted(
                                matching.size(),
                                HumanAmounts.count(live.size(), "live worker"),
                                matching.size() == 1 ? "has" : "have",
                                some(matching)))));
  }

  /** Per pool, how many workers wait for replacement by its newest version. */
  static List<String> rollouts(Cluster cluster, List<Worker> workers, Instant now) {
    var texts = new ArrayList<String>();
    for (var pool : cluster.spec().pools()) {
      var live = workers.stream().filter(w -> w.pool().equals(pool.name()) && w.state().live());
      var all = live.toList();
      var stale = all.stream().filter(w -> PoolVersions.stale(cluster, w).isPresent()).toList();
      if (stale.isEmpty()) continue;
      var last = stale.getFirst();
      texts.add(
          "pool %s: %s still of the pool's earlier definition (%s: %s); %s after %s"
              .formatted(
                  pool.name(),
                  HumanAmounts.partAre(stale.size(), all.size(), "worker"),
                  last.name(),
                  PoolVersions.stale(cluster, last).orElseThrow(),
                  stale.size() == 1
                      ? "it is replaced when it becomes free, and its tasks are stopped"
                      : "they are replaced a few at a time as they become free, and their tasks are stopped",
                  PoolVersions.until(cluster, last, now)));
    }
    return texts;
  }

  private static String zoneAndPool(PoolSpec pool, String zone) {
    return zone + " (pool " + pool.name() + ")";
  }

  private static String listed(List<String> some) {
    return some.isEmpty() ? "no zone of the cluster as it is now" : some(some);
  }

  private static String some(List<String> some) {
    return some.size() <= 8
        ? String.join(", ", some)
        : String.join(", ", some.subList(0, 8)) + " and %d more".formatted(some.size() - 8);
  }
}
