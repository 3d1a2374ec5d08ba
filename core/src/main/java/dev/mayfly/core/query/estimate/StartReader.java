package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.waiting.PausedOrders;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.snapshot.SnapshotReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Estimates when a job starts that waits for machines. It reads what the next plan is made of, and
 * some sentinels of a few of the jobs beside it.
 */
final class StartReader {
  /** The jobs beside it of which durations are read. */
  private static final int MOST_BESIDE = 6;

  /** Sentinels of each place of a job that are read. */
  private static final int EACH = 4;

  /** Machines that are gone, of which boots are read where none is there. */
  private static final int MOST_GONE = 50;

  private final Ledger ledger;
  private final Cluster cluster;
  private final Instant now;
  private final DurationReader durations;
  private final SnapshotReader snapshots;
  private final RunningReader runningReader;

  StartReader(
      Ledger ledger, Cluster cluster, Instant now, Timings timings, DurationReader durations) {
    this.ledger = ledger;
    this.cluster = cluster;
    this.now = now;
    this.durations = durations;
    snapshots = new SnapshotReader(ledger, now, timings, cluster);
    runningReader = new RunningReader(ledger, now);
  }

  /** When the first of its tasks that wait starts. */
  JobStart read(Job job) {
    var place = snapshots.rows().stream().map(JobQueue.Row::job).toList().indexOf(job.uid());
    if (place >= SnapshotReader.MOST_JOBS)
      return JobStart.unknown(
          "it is behind the first %d jobs of the queue, which alone have an estimate"
              .formatted(SnapshotReader.MOST_JOBS));
    var snapshot = snapshots.snapshot();
    return snapshot.jobs().stream()
        .filter(it -> it.job().equals(job.uid()))
        .findFirst()
        .map(demand -> read(snapshot, demand))
        .orElseGet(() -> JobStart.unknown("the queue does not have it yet"));
  }

  private JobStart read(ClusterSnapshot snapshot, JobDemand demand) {
    var plan = snapshots.waitingPlan().plan();
    var vetoes = snapshots.waitingPlan().of(demand.job());
    var beside = QueueBuilder.beside(snapshot, demand);
    var usable = QueueBuilder.usable(snapshot, demand);
    var running = new HashMap<String, RunningReader.Held>();
    var known = new HashMap<String, JobDurations>();
    running.put(demand.job(), RunningReader.Held.NOTHING);
    for (var other : snapshots.jobs(looked(snapshot, demand, beside))) {
      var runs = runningReader.of(other, snapshot.workers());
      running.put(other.uid(), runs);
      durations(other, runs.tasks()).ifPresent(it -> known.put(other.uid(), it));
    }
    var later = PausedOrders.of(vetoes, usable, now);
    var boots = boots(snapshot.workers(), coming(snapshot, later));
    var queue =
        new QueueBuilder(snapshot, plan, running, known, boots).build(demand, beside, later);
    var names = new ArrayList<>(beside.stream().map(JobDemand::name).toList());
    while (names.size() < queue.jobs().size()) names.add("of which nothing is known");
    var mayRun = usable.stream().map(PoolSpec::name).toList();
    var unseen =
        boots.entrySet().stream()
            .filter(it -> it.getValue().seen().isEmpty())
            .map(Map.Entry::getKey)
            .filter(mayRun::contains)
            .sorted()
            .toList();
    return new StartOfJob(queue, names, unseen, vetoes, now).start(demand.job().hashCode());
  }

  /** Those that hold machines which the job may use first, then in the order of the queue. */
  private static List<String> looked(
      ClusterSnapshot snapshot, JobDemand job, List<JobDemand> beside) {
    var holding = new HashSet<String>();
    for (var worker : snapshot.workers())
      if (QueueBuilder.may(snapshot, job, worker))
        for (var held : worker.held()) holding.add(held.job());
    return beside.stream()
        .map(JobDemand::job)
        .filter(uid -> !uid.equals(job.job()))
        .sorted(Comparator.comparing((String uid) -> !holding.contains(uid)))
        .limit(MOST_BESIDE)
        .toList();
  }

  private Optional<JobDurations> durations(Job job, List<RunningReader.Running> runs) {
    var done = ledger.totals(job.key()).done();
    var ages = runs.stream().map(task -> task.at(now).age()).toList();
    return durations
        .took(job, done, EACH)
        .map(took -> new JobDurations(took.seconds(), done, ages))
        .or(() ->
            durations
                .earlier(job, EACH)
                .map(it -> new JobDurations(it.took().seconds(), it.took().ended(), ages)))
        .or(() -> counted(runs, ages));
  }

  /** By their own counts, if any reports one. */
  private static Optional<JobDurations> counted(
      List<RunningReader.Running> runs, List<Double> ages) {
    var seconds = runs.stream().flatMap(task -> task.secondsOfAll().stream()).toList();
    return seconds.isEmpty() ? Optional.empty() : Optional.of(new JobDurations(seconds, 0, ages));
  }

  /** The pools of which machines are on their way, or are ordered. */
  private Set<String> coming(ClusterSnapshot snapshot, List<PausedOrders.Later> later) {
    var pools = new HashSet<String>();
    for (var worker : snapshot.workers()) if (worker.state().isNew()) pools.add(worker.pool());
    for (var decision : snapshots.waitingPlan().plan().decisions())
      if (decision instanceof PlanDecision.Launch launch) pools.add(launch.pool());
    later.forEach(it -> pools.add(it.pool().name()));
    return pools;
  }

  private Map<String, BootTimes> boots(List<Worker> workers, Set<String> pools) {
    var boots = new HashMap<String, BootTimes>();
    for (var pool : pools) boots.put(pool, boots(workers, pool));
    if (boots.values().stream().noneMatch(it -> it.seen().isEmpty())) return boots;
    var gone =
        ledger
            .query(new LedgerQuery.Workers(cluster.uid(), true, MOST_GONE))
            .readableOnly()
            .stream()
            .map(VersionedDocument::value)
            .toList();
    boots.replaceAll((pool, times) -> times.seen().isEmpty() ? boots(gone, pool) : times);
    return boots;
  }

  private static BootTimes boots(List<Worker> workers, String pool) {
    return new BootTimes(
        workers.stream()
            .filter(it -> it.pool().equals(pool))
            .flatMap(
                it -> it.firstSyncAt().map(at -> QueueBuilder.seconds(it.createdAt(), at)).stream())
            .filter(seconds -> seconds > 0)
            .toList());
  }
}
