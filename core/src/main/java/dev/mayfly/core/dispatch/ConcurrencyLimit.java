package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.plan.lease.ShardAssignment.Candidate;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.job.JobCache;
import dev.mayfly.core.state.job.OwnerUsage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many more tasks of a job may be leased, for jobs with a limit and owners with one.
 *
 * <p>All open tasks of a lease count, whether they run or are next: so no more run than may. Those
 * that the pass knows to have ended do not, although their outputs are being published or their end
 * is not written: their room is free, and a job at its limit would lose it to another. Within an
 * instance one pass runs at a time, and the limit is exact; instances that grant at the same moment
 * may each grant what is left once, and none grants more until as many tasks have ended.
 */
final class ConcurrencyLimit {
  private final Ledger ledger;
  private final JobCache jobs;
  private final OwnerUsage ownerUsage;

  /** What each owner with a limit may still lease, as counted in this pass. */
  private final Map<String, Long> left = new HashMap<>();

  /** The syncs of this pass. */
  private Collection<WorkerDemand> workerDemands = List.of();

  /**
   * By job, leased tasks that use no resources any more, as far as this pass knows; only counted
   * once a job or an owner with a limit asks. What the pass grants meanwhile has not ended.
   */
  private Optional<Map<String, Long>> ended = Optional.empty();

  ConcurrencyLimit(Ledger ledger, JobCache jobs) {
    this.ledger = ledger;
    this.jobs = jobs;
    ownerUsage = new OwnerUsage(ledger);
  }

  /** A pass begins with these syncs: owners are counted anew. */
  void beginPass(Collection<WorkerDemand> workerDemands) {
    left.clear();
    ended = Optional.empty();
    this.workerDemands = workerDemands;
  }

  private static Map<String, Long> ended(Collection<WorkerDemand> workerDemands) {
    var ended = new HashMap<String, Long>();
    for (var demand : workerDemands)
      demand.ended().forEach((job, tasks) -> ended.merge(job, tasks, Long::sum));
    return ended;
  }

  /** What of these wants the job may still run. */
  List<Candidate> limited(Job job, List<Candidate> wants) {
    var limit = remaining(job);
    return limit.isPresent() ? ShardAssignment.limited(wants, limit.getAsLong()) : wants;
  }

  /** The same; nothing if it does not run. */
  List<Candidate> limited(Optional<Job> job, List<Candidate> wants) {
    return job.map(j -> limited(j, wants)).orElse(List.of());
  }

  /** Those of the assigned shards that the job may still run. */
  Map<String, List<Shard>> limited(Job job, Map<String, List<Shard>> assigned) {
    var limit = remaining(job);
    return limit.isPresent() ? ShardAssignment.limited(assigned, limit.getAsLong()) : assigned;
  }

  /**
   * Empty without a limit. A job with one costs a read; an owner with one, a read for each of the
   * owner's jobs, once in a pass.
   */
  private OptionalLong remaining(Job job) {
    var rules = job.spec().admission();
    var ofOwner = remainingOfOwner(job);
    if (rules.concurrency() == 0) return ofOwner;
    var leased = ledger.totals(job.key()).leased() - endedOf(job.uid());
    var ofJob = rules.remaining(leased);
    return OptionalLong.of(Math.min(ofJob, ofOwner.orElse(Long.MAX_VALUE)));
  }

  private OptionalLong remainingOfOwner(Job job) {
    var owner = owner(job);
    var most = jobs.limits().of(owner);
    if (most.isEmpty()) return OptionalLong.empty();
    var rest = left.computeIfAbsent(owner, _ -> leftOfOwner(job.cluster(), owner, most.get()));
    return OptionalLong.of(rest);
  }

  private long leftOfOwner(String cluster, String owner, long most) {
    var own = jobs.rows().stream().filter(row -> row.owner().equals(owner)).toList();
    var atOnce = most + own.stream().mapToLong(row -> endedOf(row.job())).sum();
    return Math.max(0, atOnce - ownerUsage.leased(cluster, own, owner, atOnce));
  }

  private long endedOf(String job) {
    if (ended.isEmpty()) ended = Optional.of(ended(workerDemands));
    return ended.get().getOrDefault(job, 0L);
  }

  /** The shards of a grant that was committed in this pass; their tasks count from now on. */
  List<Shard> counted(LeaseGrant leaseGrant) {
    var shards = leaseGrant.settle();
    var tasks = shards.stream().mapToLong(Shard::open).sum();
    left.computeIfPresent(owner(leaseGrant.job()), (_, n) -> Math.max(0, n - tasks));
    return shards;
  }

  private static String owner(Job job) {
    return job.spec().owner().orElse("");
  }
}
