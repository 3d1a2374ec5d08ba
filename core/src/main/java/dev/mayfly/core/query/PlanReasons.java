package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.job.JobDemands;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The planner's reasons for a waiting job, from a new plan of the stored state. */
final class PlanReasons {
  /** Most jobs before it that are read; with more, the queue is the reason. */
  private static final int AHEAD = 100;

  /** What no other reason says. */
  private static final Set<String> KINDS = Set.of("kept", "hold", "pool-paused", "budget", "gang");

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, Integer> unknown;

  /**
   * @param unknown number of unreadable workers by pool
   */
  PlanReasons(Ledger ledger, InstantSource clock, Map<String, Integer> unknown) {
    this.ledger = ledger;
    this.clock = clock;
    this.unknown = unknown;
  }

  List<JobExplanation.Reason> of(
      Cluster cluster, Job job, List<JobQueue.Row> rows, List<Worker> workers) {
    var ahead = new ArrayList<JobQueue.Row>();
    for (var row : rows) {
      ahead.add(row);
      if (row.job().equals(job.uid())) break;
    }
    if (ahead.size() > AHEAD || ahead.isEmpty() || !ahead.getLast().job().equals(job.uid()))
      return List.of();
    var stockouts =
        ledger.query(new LedgerQuery.Stockouts()).readableOnly().stream()
            .map(VersionedDocument::value)
            .toList();
    var clusterSnapshot =
        new ClusterSnapshot(
            clock.instant(),
            cluster,
            workers,
            demands(cluster, ahead),
            stockouts,
            TpuCreateQuota.A_MINUTE,
            unknown);
    return Planner.planWithReasons(clusterSnapshot).ofJob(job.uid()).stream()
        .map(veto -> VetoText.of(veto, clock.instant()))
        .filter(text -> KINDS.contains(text.kind()))
        .map(text -> new JobExplanation.Reason(text.kind(), text.text()))
        .toList();
  }

  private List<JobDemand> demands(Cluster cluster, List<JobQueue.Row> rows) {
    var jobs = new HashMap<String, Job>();
    var keys = rows.stream().map(r -> new DocumentKey.OfJob(cluster.uid(), r.job())).toList();
    for (var job : ledger.readAll(keys).readableOnly()) jobs.put(job.value().uid(), job.value());
    var all = new JobDemands(ledger, clock);
    var jobDemands = new ArrayList<JobDemand>();
    for (var row : rows) {
      var job = jobs.get(row.job());
      if (job != null && job.running())
        jobDemands.add(all.of(job, ledger.totals(job.key()), row.kept()));
    }
    return jobDemands;
  }
}
