package dev.mayfly.core.control;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.FairShare;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says whose turn it is, for {@link Explainer}: the queue, the owners' shares, and pins. */
final class TurnReasons {
  private TurnReasons() {}

  /** The names of the jobs whose turn comes before the job's. */
  static List<String> ahead(List<Turns.Row> rows, Job job) {
    return rows.stream().takeWhile(r -> !r.job().equals(job.uid())).map(Turns.Row::name).toList();
  }

  static List<Explanation.Reason> of(List<Turns.Row> rows, Job job, List<Worker> workers) {
    var reasons = new ArrayList<Explanation.Reason>();
    pins(job.spec().place(), workers, reasons);
    var queue = ahead(rows, job);
    if (!queue.isEmpty())
      reasons.add(
          new Explanation.Reason("turn", "before it in the queue: " + String.join(", ", queue)));
    shares(rows, job, workers, reasons);
    return reasons;
  }

  private static void pins(Place place, List<Worker> workers, List<Explanation.Reason> reasons) {
    for (var name : place.workers())
      if (workers.stream().noneMatch(w -> w.name().equals(name)))
        reasons.add(
            new Explanation.Reason(
                "place",
                "it may run on worker %s, which is not there; submit it without workers to let it run on others"
                    .formatted(name)));
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
