package dev.mayfly.core.control;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Worker;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Tells where a job may run and why not elsewhere, for those who wonder why a pool stays empty. */
final class Regions {
  private Regions() {}

  /** Empty for a job that may use every zone of its cluster. */
  static Optional<Explanation.Reason> explain(Place place, ClusterSpec cluster) {
    if (place.locations().isEmpty()) return Optional.empty();
    var here = new TreeSet<String>();
    var elsewhere = new TreeSet<String>();
    for (var pool : cluster.pools())
      for (var zone : pool.zones()) (place.zone(zone) ? here : elsewhere).add(said(pool, zone));
    if (elsewhere.isEmpty()) return Optional.empty();
    return Optional.of(
        new Explanation.Reason(
            "region",
            "its buckets are in %s, and so it runs in %s and not in %s"
                .formatted(
                    String.join(" and ", place.locations()),
                    listed(List.copyOf(here)),
                    listed(List.copyOf(elsewhere)))));
  }

  /** Workers that it names and that are not there. */
  static List<Explanation.Reason> pins(Place place, List<Worker> workers) {
    return place.workers().stream()
        .filter(name -> workers.stream().noneMatch(w -> w.name().equals(name)))
        .map(name ->
            new Explanation.Reason(
                "place",
                "it may run on worker %s, which is not there; submit it without workers to let it run on others"
                    .formatted(name)))
        .toList();
  }

  private static String said(PoolSpec pool, String zone) {
    return zone + " (pool " + pool.name() + ")";
  }

  private static String listed(List<String> some) {
    if (some.isEmpty()) return "no zone of the cluster as it is now";
    return some.size() <= 8
        ? String.join(", ", some)
        : String.join(", ", some.subList(0, 8)) + " and %d more".formatted(some.size() - 8);
  }
}
