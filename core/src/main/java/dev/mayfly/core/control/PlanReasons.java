package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Demand;
import dev.mayfly.core.plan.Plan;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.View;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the planner itself says of a job that waits, asked again with what is stored now. */
final class PlanReasons {
  /** Jobs before it that are read; behind more of them their turn is the reason. */
  private static final int AHEAD = 100;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, Integer> unknown;

  /**
   * @param unknown workers of each pool that cannot be read
   */
  PlanReasons(Ledger ledger, InstantSource clock, Map<String, Integer> unknown) {
    this.ledger = ledger;
    this.clock = clock;
    this.unknown = unknown;
  }

  List<Explanation.Reason> of(
      Cluster cluster, Job job, List<Turns.Row> rows, List<Worker> workers) {
    var ahead = new ArrayList<Turns.Row>();
    for (var row : rows) {
      ahead.add(row);
      if (row.job().equals(job.uid())) break;
    }
    if (ahead.size() > AHEAD || ahead.isEmpty() || !ahead.getLast().job().equals(job.uid()))
      return List.of();
    var stockouts = ledger.query(new Query.Stockouts()).some().stream().map(Stored::value).toList();
    var view =
        new View(
            clock.instant(),
            cluster,
            workers,
            demands(cluster, ahead),
            stockouts,
            Creations.A_MINUTE,
            unknown);
    return Planner.make(view).whys().getOrDefault("job/" + job.spec().name(), List.of()).stream()
        .map(PlanReasons::reason)
        .toList();
  }

  private static Explanation.Reason reason(Plan.Why why) {
    return new Explanation.Reason(why.kind(), why.text());
  }

  private List<Demand> demands(Cluster cluster, List<Turns.Row> rows) {
    var jobs = new HashMap<String, Job>();
    var keys = rows.stream().map(r -> new Key.OfJob(cluster.uid(), r.job())).toList();
    for (var job : ledger.readAll(keys).some()) jobs.put(job.value().uid(), job.value());
    var all = new Demands(ledger, clock);
    var demands = new ArrayList<Demand>();
    for (var row : rows) {
      var job = jobs.get(row.job());
      if (job != null && job.running())
        demands.add(all.of(job, ledger.totals(job.key()), row.kept()));
    }
    return demands;
  }
}
