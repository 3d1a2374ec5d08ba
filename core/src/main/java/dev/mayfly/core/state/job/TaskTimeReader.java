package dev.mayfly.core.state.job;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.TaskTime;
import dev.mayfly.core.plan.pace.DoneSooner;
import dev.mayfly.core.plan.pace.MeasuredTasks;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Plans with what tasks take. That is read only where a plan orders machines for jobs of which some
 * tasks are done: two queries of each, and the plan is made again.
 */
public record TaskTimeReader(Ledger ledger) {
  /** The first shards of a job are leased first. */
  private static final int FIRST = 50;

  /** With more leases nothing is known of a job: it has machines enough to be long. */
  private static final int LEASED = 200;

  /** Jobs that are read for one plan; of others nothing is known. */
  private static final int JOBS = 20;

  /** A plan with the snapshot that it was made of. */
  public record Planned(ClusterSnapshot of, Plan plan) {}

  public Planned plan(ClusterSnapshot clusterSnapshot) {
    var first = Planner.planWithReasons(clusterSnapshot);
    var asked = DoneSooner.asked(clusterSnapshot, first);
    if (asked.isEmpty()) return new Planned(clusterSnapshot, first);
    var times = new HashMap<String, TaskTime>();
    for (var job : clusterSnapshot.jobs())
      if (asked.contains(job.job()) && times.size() < JOBS)
        times.put(job.job(), TaskTime.of(read(clusterSnapshot, job)));
    var measured =
        clusterSnapshot.withJobs(
            clusterSnapshot.jobs().stream().map(job -> measured(job, times)).toList());
    return new Planned(measured, Planner.planWithReasons(measured));
  }

  private static JobDemand measured(JobDemand job, Map<String, TaskTime> times) {
    return Optional.ofNullable(times.get(job.job())).map(job::taking).orElse(job);
  }

  private Optional<Duration> read(ClusterSnapshot clusterSnapshot, JobDemand job) {
    var cluster = clusterSnapshot.cluster().uid();
    var shards = new HashMap<Long, Shard>();
    var leased = add(new LedgerQuery.LeasedShards(cluster, job.job(), LEASED), shards);
    if (!leased || shards.size() >= LEASED) return Optional.empty();
    if (!add(new LedgerQuery.Shards(cluster, job.job(), 0, FIRST), shards)) return Optional.empty();
    return MeasuredTasks.each(shards.values(), slots(clusterSnapshot, job), clusterSnapshot.now());
  }

  /** False if some cannot be read: what they have is unknown. */
  private boolean add(LedgerQuery<Shard> query, Map<Long, Shard> shards) {
    var found = ledger.query(query);
    found.readableOnly().stream()
        .map(VersionedDocument::value)
        .forEach(shard -> shards.put(shard.start(), shard));
    return found.unreadable().isEmpty();
  }

  private static long slots(ClusterSnapshot clusterSnapshot, JobDemand job) {
    return clusterSnapshot.cluster().spec().pools().stream()
        .map(PoolSpec::visible)
        .mapToLong(machine -> machine.slots(job.need()))
        .max()
        .orElse(1);
  }
}
