package dev.mayfly.core.query.snapshot;

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
import dev.mayfly.core.plan.waiting.WaitingFacts;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.job.JobDemands;
import dev.mayfly.core.state.job.TaskTimeReader;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.MonthReader;
import dev.mayfly.core.state.worker.SliceHosts;
import dev.mayfly.core.state.worker.WorkerNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a cluster, and the plan that would be made of it. Everything is read once, and
 * only when it is asked for.
 */
public final class SnapshotReader {
  /** The first jobs of the queue: each costs a read and a sum. */
  public static final int MOST_JOBS = 100;

  private static final int MOST_WORKERS = 2_000;

  private final Ledger ledger;
  private final Instant now;
  private final Timings timings;
  private final Cluster cluster;
  private @Nullable QueryResult<Worker> found;
  private @Nullable RebuildableDocument<JobQueue> queue;
  private @Nullable ClusterSnapshot snapshot;
  private @Nullable WaitingPlan waitingPlan;

  public SnapshotReader(Ledger ledger, Instant now, Timings timings, Cluster cluster) {
    this.ledger = ledger;
    this.now = now;
    this.timings = timings;
    this.cluster = cluster;
  }

  /** Its workers that are not gone. */
  public List<Worker> workers() {
    return values(found());
  }

  public List<UnreadableDocument> unreadable() {
    return found().unreadable();
  }

  /** By pool, how many workers cannot be read. */
  public Map<String, Integer> unreadablePools() {
    return WorkerNames.pools(cluster, unreadable());
  }

  /** Its queue. */
  public List<JobQueue.Row> rows() {
    return queue().map(JobQueue::rows).orElse(List.of());
  }

  private Optional<JobQueue> queue() {
    if (queue == null)
      queue = RebuildableDocument.read(ledger, new DocumentKey.OfJobQueue(cluster.uid()));
    return queue.value();
  }

  private QueryResult<Worker> found() {
    if (found == null)
      found = ledger.query(new LedgerQuery.Workers(cluster.uid(), false, MOST_WORKERS));
    return found;
  }

  /** The snapshot, with the first jobs of the queue. */
  public ClusterSnapshot snapshot() {
    if (snapshot == null) snapshot = snapshot(values(ledger.query(new LedgerQuery.Stockouts())));
    return snapshot;
  }

  /** The plan that is made of it, with reasons. */
  public WaitingPlan waitingPlan() {
    if (waitingPlan == null) {
      var facts =
          new WaitingFacts(
              DueTimes.stored(ledger, cluster.uid()), names(), arrivals(), timings.hostsAwaited());
      waitingPlan = new WaitingPlan(new TaskTimeReader(ledger).plan(snapshot()).of(), facts);
    }
    return waitingPlan;
  }

  private ClusterSnapshot snapshot(List<Stockout> stockouts) {
    return new ClusterSnapshot(
            now,
            cluster,
            workers(),
            demands(),
            stockouts,
            TpuCreateQuota.A_MINUTE,
            unreadablePools())
        .withSpentThisMonth(new MonthReader(ledger).atMost(cluster, workers(), now))
        .withUses(queue().map(JobQueue::ownerUses).orElse(List.of()));
  }

  /** What is decided if every zone has machines. */
  public List<PlanDecision> planWithoutStockouts() {
    return Planner.plan(snapshot(List.of()));
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

  /** Those that are readable. */
  public List<Job> jobs(List<String> uids) {
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
