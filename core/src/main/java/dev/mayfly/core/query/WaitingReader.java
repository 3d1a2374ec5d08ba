package dev.mayfly.core.query;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.HostArrivals;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.waiting.WaitingFacts;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.job.JobDemands;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.MonthReader;
import dev.mayfly.core.state.worker.SliceHosts;
import dev.mayfly.core.state.worker.WorkerNames;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says why jobs of a cluster wait, by a plan of what is stored. Everything is read once, and only
 * when it is asked for.
 */
final class WaitingReader {
  /** The first jobs of the queue: each costs a read and a sum. */
  static final int MOST_JOBS = 100;

  private final Ledger ledger;
  private final Instant now;
  private final Timings timings;
  private final Cluster cluster;
  private @Nullable QueryResult<Worker> found;
  private @Nullable List<JobQueue.Row> rows;
  private @Nullable WaitingPlan plan;

  WaitingReader(Ledger ledger, Instant now, Timings timings, Cluster cluster) {
    this.ledger = ledger;
    this.now = now;
    this.timings = timings;
    this.cluster = cluster;
  }

  /** Why ready tasks of the job wait, the root first. */
  List<JobExplanation.Reason> of(Job job) {
    var place = place(job);
    var reasons = new ArrayList<>(words(vetoes(job)));
    if (place >= MOST_JOBS)
      reasons.add(
          new JobExplanation.Reason(
              "turn", "%s before it in the queue".formatted(HumanAmounts.count(place, "job"))));
    return reasons;
  }

  /** The root of why ready tasks of the job wait. */
  Optional<Veto> root(Job job) {
    return vetoes(job).stream().findFirst();
  }

  private List<Veto> vetoes(Job job) {
    return place(job) < MOST_JOBS ? plan().of(job.uid()) : plan().causes();
  }

  private int place(Job job) {
    return rows().stream().map(JobQueue.Row::job).toList().indexOf(job.uid());
  }

  /** The jobs before it in the queue that wait for workers which it could use. */
  List<String> ahead(Job job) {
    return plan().ahead(job.uid());
  }

  /** What holds up any job or pool: causes of the cluster, its pools and the cloud. */
  List<JobExplanation.Reason> causes() {
    return words(plan().causes());
  }

  private List<JobExplanation.Reason> words(List<Veto> vetoes) {
    return vetoes.stream()
        .map(veto -> VetoText.of(veto, now))
        .map(text -> new JobExplanation.Reason(text.kind(), text.text()))
        .distinct()
        .toList();
  }

  List<Worker> workers() {
    return values(found());
  }

  List<UnreadableDocument> unreadable() {
    return found().unreadable();
  }

  List<JobQueue.Row> rows() {
    if (rows == null)
      rows =
          RebuildableDocument.read(ledger, new DocumentKey.OfJobQueue(cluster.uid()))
              .value()
              .map(JobQueue::rows)
              .orElse(List.of());
    return rows;
  }

  private QueryResult<Worker> found() {
    if (found == null)
      found =
          ledger.query(new LedgerQuery.Workers(cluster.uid(), false, StatusQueries.MAX_WORKERS));
    return found;
  }

  private WaitingPlan plan() {
    if (plan == null) {
      var facts =
          new WaitingFacts(
              DueTimes.stored(ledger, cluster.uid()), names(), arrivals(), timings.hostsAwaited());
      plan = new WaitingPlan(snapshot(values(ledger.query(new LedgerQuery.Stockouts()))), facts);
    }
    return plan;
  }

  private ClusterSnapshot snapshot(List<Stockout> stockouts) {
    return new ClusterSnapshot(
            now,
            cluster,
            workers(),
            demands(),
            stockouts,
            TpuCreateQuota.A_MINUTE,
            WorkerNames.pools(cluster, unreadable()))
        .withSpentThisMonth(new MonthReader(ledger).atMost(cluster, workers(), now));
  }

  /** How many machines each pool would have now if every zone had some, by the next plan. */
  Map<String, Integer> wanted() {
    var wanted = new HashMap<>(WorkerNames.pools(cluster, unreadable()));
    var pools = new HashMap<String, String>();
    for (var worker : workers())
      if (worker.state().live()) {
        wanted.merge(worker.pool(), 1, Integer::sum);
        pools.put(worker.name(), worker.pool());
      }
    for (var decision : Planner.plan(snapshot(List.of())))
      switch (decision) {
        case PlanDecision.Launch launch ->
            wanted.merge(launch.pool(), launch.count(), Integer::sum);
        case PlanDecision.Drain drain ->
            wanted.computeIfPresent(pools.getOrDefault(drain.worker(), ""), (_, n) -> n - 1);
        case PlanDecision.PreemptLease _, PlanDecision.FormGang _ -> {}
      }
    return wanted;
  }

  private List<JobDemand> demands() {
    var first = rows().stream().limit(MOST_JOBS).toList();
    var jobs = new HashMap<String, Job>();
    for (var job : jobs(first.stream().map(JobQueue.Row::job).toList())) jobs.put(job.uid(), job);
    var all = new JobDemands(ledger, () -> now);
    var demands = new ArrayList<JobDemand>();
    for (var row : first) {
      var job = jobs.get(row.job());
      if (job != null && job.running())
        demands.add(all.of(job, ledger.totals(job.key()), row.kept()));
    }
    return demands;
  }

  private List<Job> jobs(List<String> uids) {
    return values(
        ledger.readAll(
            uids.stream().map(uid -> new DocumentKey.OfJob(cluster.uid(), uid)).toList()));
  }

  /** Of slices that boot. */
  private Map<String, HostArrivals> arrivals() {
    var arrivals = new HashMap<String, HostArrivals>();
    for (var worker : workers())
      if (worker.state() instanceof WorkerState.Booting && SliceHosts.isMultiHost(worker)) {
        var others = values(ledger.readAll(SliceHosts.otherKeys(worker)));
        arrivals.put(worker.name(), SliceHosts.arrivals(worker, others));
      }
    return arrivals;
  }

  /** The names of jobs that workers hold, by uid. */
  private Map<String, String> names() {
    var names = new HashMap<String, String>();
    rows().forEach(row -> names.put(row.job(), row.name()));
    var others = new HashSet<String>();
    for (var worker : workers())
      for (var held : worker.held()) if (!names.containsKey(held.job())) others.add(held.job());
    jobs(List.copyOf(others)).forEach(job -> names.put(job.uid(), job.spec().name()));
    return names;
  }

  private static <D extends LedgerDocument> List<D> values(QueryResult<D> result) {
    return result.readableOnly().stream().map(VersionedDocument::value).toList();
  }
}
