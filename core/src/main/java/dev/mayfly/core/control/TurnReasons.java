package dev.mayfly.core.control;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.FairShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Says whose turn it is, for {@link Explainer}: the queue, the owners' shares, and pins. */
final class TurnReasons {
  private TurnReasons() {}

  /** The names of the jobs whose turn comes before the job's, where both could run. */
  static List<String> ahead(List<Turns.Row> rows, Job job, ClusterSpec cluster) {
    return rows.stream()
        .takeWhile(r -> !r.job().equals(job.uid()))
        .filter(r -> cluster.pools().stream().anyMatch(pool -> meet(r, job, pool)))
        .map(Turns.Row::name)
        .toList();
  }

  private static boolean meet(Turns.Row row, Job job, PoolSpec pool) {
    var place = job.spec().place();
    return place.someZone(pool)
        && pool.visible().fits(job.spec().resources())
        && row.place().fallback(pool.name())
        && pool.zones().stream().anyMatch(z -> place.zone(z) && row.place().zone(z))
        && pool.visible().fits(row.need())
        && !apart(place.workers(), row.place().workers());
  }

  /** Whether both name workers, and none that is the same. */
  private static boolean apart(List<String> some, List<String> others) {
    return !some.isEmpty() && !others.isEmpty() && Collections.disjoint(some, others);
  }

  static List<Explanation.Reason> of(
      List<Turns.Row> rows, Job job, List<Worker> workers, ClusterSpec cluster) {
    var reasons = new ArrayList<Explanation.Reason>();
    var queue = ahead(rows, job, cluster);
    if (!queue.isEmpty())
      reasons.add(
          new Explanation.Reason("turn", "before it in the queue: " + String.join(", ", queue)));
    shares(rows, job, workers, reasons);
    return reasons;
  }

  /** The workers that the job names and that are not there. */
  static List<Explanation.Reason> pins(Place place, List<Worker> workers) {
    var reasons = new ArrayList<Explanation.Reason>();
    for (var name : place.workers())
      if (workers.stream().noneMatch(w -> w.name().equals(name)))
        reasons.add(
            new Explanation.Reason(
                "place",
                "it may run on worker %s, which is not there; submit it without workers to let it run on others"
                    .formatted(name)));
    return reasons;
  }

  private static void shares(
      List<Turns.Row> rows, Job job, List<Worker> workers, List<Explanation.Reason> reasons) {
    var band = rows.stream().filter(r -> r.priority() == job.spec().priority()).toList();
    var shares = FairShare.shares(band, workers);
    if (shares.size() < 2) return;
    var each =
        shares.entrySet().stream()
            .map(e -> (e.getKey().isEmpty() ? "nobody" : e.getKey()) + " " + e.getValue())
            .collect(Collectors.joining(", "));
    reasons.add(
        new Explanation.Reason(
            "share", "owners of priority " + job.spec().priority() + " run tasks: " + each));
  }
}
