package dev.mayfly.core.query;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.veto.ZoneVeto;
import dev.mayfly.core.plan.waiting.HeldJobs;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.query.snapshot.SnapshotReader;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says why jobs of a cluster wait, by a plan of what is stored. */
final class WaitingReader {
  private final Instant now;
  private final SnapshotReader snapshots;

  WaitingReader(Ledger ledger, Instant now, Timings timings, Cluster cluster) {
    this.now = now;
    snapshots = new SnapshotReader(ledger, now, timings, cluster);
  }

  /** Why ready tasks of the job wait, the root first. */
  List<JobExplanation.Reason> of(Job job) {
    var place = place(job);
    var reasons = new ArrayList<>(words(vetoes(job)));
    if (place >= SnapshotReader.MOST_JOBS)
      reasons.add(
          new JobExplanation.Reason(
              "turn", "%s before it in the queue".formatted(HumanAmounts.count(place, "job"))));
    return reasons;
  }

  /** Why no machine is added for tasks of the job that are next where others run. */
  List<JobExplanation.Reason> noMachine(Job job) {
    return words(vetoes(job).stream().filter(WaitingReader::isAboutMachines).toList());
  }

  private static boolean isAboutMachines(Veto veto) {
    return veto instanceof PoolVeto
        || veto instanceof ZoneVeto
        || veto instanceof ClusterVeto
        || veto instanceof ComingVeto.DoneSooner;
  }

  /** The root of why ready tasks of the job wait. */
  Optional<Veto> root(Job job) {
    return vetoes(job).stream().findFirst();
  }

  private List<Veto> vetoes(Job job) {
    return place(job) < SnapshotReader.MOST_JOBS
        ? snapshots.waitingPlan().of(job.uid())
        : snapshots.waitingPlan().causes();
  }

  private int place(Job job) {
    return snapshots.rows().stream().map(JobQueue.Row::job).toList().indexOf(job.uid());
  }

  /** The jobs before it in the queue that wait for workers which it could use. */
  List<String> ahead(Job job) {
    return snapshots.waitingPlan().ahead(job.uid());
  }

  /** What holds up any job or pool: causes of the cluster, its pools and the cloud. */
  List<JobExplanation.Reason> causes() {
    return words(snapshots.waitingPlan().causes());
  }

  /** The jobs for which nothing can be launched. */
  List<HeldJobs> held() {
    return snapshots.waitingPlan().held();
  }

  private List<JobExplanation.Reason> words(List<Veto> vetoes) {
    return vetoes.stream()
        .map(veto -> VetoText.of(veto, now))
        .map(text -> new JobExplanation.Reason(text.kind(), text.text()))
        .distinct()
        .toList();
  }

  List<Worker> workers() {
    return snapshots.workers();
  }

  List<UnreadableDocument> unreadable() {
    return snapshots.unreadable();
  }

  /** How many machines each pool would have now if every zone had some, by the next plan. */
  Map<String, Integer> wanted() {
    var wanted = new HashMap<>(snapshots.unreadablePools());
    var pools = new HashMap<String, String>();
    for (var worker : workers())
      if (worker.state().live()) {
        wanted.merge(worker.pool(), 1, Integer::sum);
        pools.put(worker.name(), worker.pool());
      }
    for (var decision : snapshots.planWithoutStockouts())
      switch (decision) {
        case PlanDecision.Launch launch ->
            wanted.merge(launch.pool(), launch.count(), Integer::sum);
        case PlanDecision.Drain drain ->
            wanted.computeIfPresent(pools.getOrDefault(drain.worker(), ""), (_, n) -> n - 1);
        case PlanDecision.PreemptLease _, PlanDecision.EndTasks _, PlanDecision.FormGang _ -> {}
      }
    return wanted;
  }
}
