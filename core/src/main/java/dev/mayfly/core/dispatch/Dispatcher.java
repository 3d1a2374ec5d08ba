package dev.mayfly.core.dispatch;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.HeldLimit;
import dev.mayfly.core.plan.lease.FairShareSelector;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.JobCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Matches all pending syncs of an instance with READY shards in one pass, by priority: among
 * several owners by fair share, else in the order of the queue. Then it commits each worker's
 * document together with its shards. Instances can conflict; syncs of one instance cannot.
 *
 * <p>One pass runs at a time. No lock is held during a pass.
 */
public final class Dispatcher {
  private static final int MAX_TRIES = 3;

  /** Batches committed in parallel. */
  private static final int LANES = 32;

  private final Context context;
  private final JobCache jobs;
  private final GrantListener listener;
  private final StealPass stealPass;
  private final InstanceTaskRange instanceTaskRange;
  private final ReadyShards readyShards;
  private final EmptyJobCache emptyJobCache;
  private final SpotExhaustedShards spotExhausted;
  private final JobsWithKeptWorkers keptWorkers;
  private final RunningTaskDeltas recent;
  private final OwnerShares owners;
  private final HigherPriorityFirst higherPriorityFirst;
  private final ConcurrencyLimit concurrencyLimit;

  public Dispatcher(
      Context context,
      JobCache jobs,
      GrantListener listener,
      InstanceTaskRange instanceTaskRange,
      RunningTaskDeltas recent) {
    this.context = context;
    this.jobs = jobs;
    this.listener = listener;
    stealPass = new StealPass(context, listener, this::fitting);
    this.instanceTaskRange = instanceTaskRange;
    readyShards = new ReadyShards(context, instanceTaskRange);
    emptyJobCache = new EmptyJobCache(context);
    spotExhausted = new SpotExhaustedShards(context);
    keptWorkers = new JobsWithKeptWorkers(context, emptyJobCache);
    this.recent = recent;
    owners = new OwnerShares(instanceTaskRange, recent);
    higherPriorityFirst = new HigherPriorityFirst(emptyJobCache, context.clock());
    concurrencyLimit = new ConcurrencyLimit(context.ledger(), jobs);
  }

  public void workAppeared() {
    jobs.clear();
    emptyJobCache.clear();
    spotExhausted.workAppeared();
  }

  /** Grants what it can to these syncs. Returns the syncs that got work. */
  public Collection<PendingSync> dispatch(String cluster, Collection<PendingSync> waiting) {
    var jobQueue = jobs.queue();
    var rows = jobQueue.map(JobQueue::rows).orElse(List.of());
    if (rows.stream().noneMatch(this::mayHaveWork) && !stealPass.mayTake(rows, waiting))
      return List.of();
    var names = waiting.stream().map(c -> c.worker().name()).collect(Collectors.toSet());
    var keepers = keptWorkers.of(cluster, rows, names);
    var workerDemands = new LinkedHashMap<String, WorkerDemand>();
    var now = context.clock().instant();
    for (var pendingSync : waiting)
      if (!pendingSync.answered()
          && !pendingSync.isStale()
          && pendingSync.worker().state() instanceof WorkerState.Ready
          && Cordons.of(pendingSync.worker(), now).isEmpty()
          && pendingSync.takesLeases())
        workerDemands.put(
            pendingSync.worker().name(), WorkerDemand.of(pendingSync, keepers, this::longest, now));
    if (workerDemands.isEmpty()) return List.of();
    var all = List.copyOf(workerDemands.values());
    concurrencyLimit.beginPass(all);
    var higher = new ArrayList<JobQueue.Row>();
    for (var band : FairShareSelector.byPriority(rows)) {
      // What others have queued of a higher priority comes before what waits of this one.
      if (!higher.isEmpty()) steal(cluster, higher, workerDemands);
      higherPriorityFirst.stopQueueing(cluster, higher, workerDemands.values());
      higher.addAll(band);
      if (!FairShareSelector.hasSeveralOwners(band)) fillNew(cluster, band, workerDemands);
      else share(cluster, selector(band, jobQueue, all), workerDemands);
      assign(cluster, band, workerDemands);
    }
    steal(cluster, rows, workerDemands);
    return all.stream().filter(WorkerDemand::gotWork).map(demand -> demand.pendingSync).toList();
  }

  /** False if the job surely has no task to grant: then nobody has to be asked for room. */
  private boolean mayHaveWork(JobQueue.Row row) {
    return row.gang() <= 1 && !(emptyJobCache.has(row.job()) && spotExhausted.isEmpty(row));
  }

  private FairShareSelector selector(
      List<JobQueue.Row> band, Optional<JobQueue> jobQueue, Collection<WorkerDemand> all) {
    var uses = jobQueue.map(JobQueue::ownerUses).orElse(List.of());
    return owners.of(band, jobQueue.flatMap(JobQueue::counted), jobs.shareRule(uses), all);
  }

  private Optional<Duration> longest(JobQueue.Row row) {
    return jobs.job(row.job()).flatMap(j -> j.spec().run().longest());
  }

  /** New machines are filled once as the plan meant that launched them. */
  private void fillNew(
      String cluster, List<JobQueue.Row> band, Map<String, WorkerDemand> workerDemands) {
    for (var machines : NewMachines.alike(workerDemands.values())) {
      for (var row : band) {
        var its = machines.nominatedFor(row);
        if (!its.isEmpty()) assign(cluster, row, its);
      }
      assign(cluster, machines.hardestFirst(band), machines.all());
    }
  }

  /** Each worker first serves the owner who runs least for their shares; the rest goes by age. */
  private void share(
      String cluster, FairShareSelector shares, Map<String, WorkerDemand> workerDemands) {
    var served = new LinkedHashMap<JobQueue.Row, Map<String, WorkerDemand>>();
    for (var demand : workerDemands.values()) {
      var name = demand.pendingSync.worker().name();
      var next =
          shares.next(
              row -> !emptyJobCache.has(row.job()) && wants(demand, row),
              demand.pendingSync.worker().nominee(),
              name + " " + demand.pendingSync.report.seq());
      if (next.isEmpty()) continue;
      shares.addRunning(next.get(), demand.slots(next.get()));
      served.computeIfAbsent(next.get(), _ -> new LinkedHashMap<>()).put(name, demand);
    }
    if (served.size() > 1) checkForEmpty(cluster, served.keySet(), workerDemands);
    served.forEach((row, some) -> assign(cluster, row, some));
  }

  private boolean wants(WorkerDemand workerDemand, JobQueue.Row row) {
    return workerDemand.mayWant(row)
        && !workerDemand.pendingSync.isStale()
        && workerDemand.mayTake(row, context.clock().instant())
        && workerDemand.tasksWanted(row) > 0;
  }

  /** Assigns job by job. The more jobs turn out empty, the more of the next are checked at once. */
  private void assign(
      String cluster, List<JobQueue.Row> rows, Map<String, WorkerDemand> workerDemands) {
    var all = List.copyOf(workerDemands.values());
    var batchSize = 1;
    for (var from = 0; from < rows.size(); ) {
      var some = rows.subList(from, Math.min(rows.size(), from + batchSize));
      if (some.size() > 1) checkForEmpty(cluster, some, workerDemands);
      for (var row : some) assign(cluster, row, workerDemands);
      var anyWanted =
          some.stream().anyMatch(r -> !emptyJobCache.has(r.job()) && !fitting(r, all).isEmpty());
      batchSize = anyWanted ? 1 : Math.min(2 * batchSize, LANES);
      from += some.size();
    }
  }

  /** Finds out which of the jobs have no READY shard: one read per job, in parallel. */
  private void checkForEmpty(
      String cluster, Collection<JobQueue.Row> rows, Map<String, WorkerDemand> workerDemands) {
    emptyJobCache.check(
        cluster,
        rows.stream()
            .filter(row ->
                !emptyJobCache.has(row.job()) && !fitting(row, workerDemands.values()).isEmpty())
            .toList());
  }

  private void steal(
      String cluster, List<JobQueue.Row> rows, Map<String, WorkerDemand> workerDemands) {
    stealPass
        .steal(cluster, rows, workerDemands.values())
        .ifPresent(stolen -> assignStolen(cluster, stolen.row(), stolen.roomy()));
  }

  private void assignStolen(String cluster, JobQueue.Row row, List<WorkerDemand> roomy) {
    emptyJobCache.remove(row.job());
    var byName = new LinkedHashMap<String, WorkerDemand>();
    for (var demand : roomy) byName.put(demand.pendingSync.worker().name(), demand);
    assign(cluster, row, byName);
  }

  /** Whether any of these syncs would steal leased work, so that another pass is worthwhile. */
  public boolean wantsWork(Collection<PendingSync> waiting) {
    var rows = jobs.queue().map(JobQueue::rows).orElse(List.of());
    if (rows.isEmpty()) return false;
    var smallest = WorkerDemand.smallestNeed(rows);
    var now = context.clock().instant();
    return waiting.stream().anyMatch(it -> WorkerDemand.mayTakeMore(it, smallest, now));
  }

  private void assign(String cluster, JobQueue.Row row, Map<String, WorkerDemand> workerDemands) {
    spotExhausted
        .of(
            cluster,
            row,
            workerDemands.values(),
            w -> concurrencyLimit.limited(jobs.granted(row.job()), w))
        .ifPresent(offer -> grant(row, workerDemands, offer.wants(), offer.shards()));
    var begun = emptyJobCache.generation();
    if (emptyJobCache.has(row.job())) return;
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var wants = fitting(row, workerDemands.values());
      if (wants.isEmpty()) return;
      var job = jobs.granted(row.job());
      if (job.isEmpty()) {
        emptyJobCache.add(row.job(), begun);
        return;
      }
      wants = concurrencyLimit.limited(job.get(), wants);
      // Its tasks are not used up: some of those that run must end first.
      if (wants.isEmpty()) return;
      var ready = readyShards.ready(job.get(), row, wants, workerDemands);
      if (ready.shards().isEmpty()) {
        emptyJobCache.add(row.job(), begun);
        return;
      }
      if (grant(row, workerDemands, ready.wants(), ready.shards())) return;
    }
  }

  private List<ShardAssignment.Candidate> fitting(
      JobQueue.Row row, Collection<WorkerDemand> workerDemands) {
    return workerDemands.stream()
        .filter(demand -> wants(demand, row))
        .map(demand ->
            new ShardAssignment.Candidate(
                demand.pendingSync.worker().name(), demand.tasksWanted(row), demand.isIdle()))
        .toList();
  }

  /** False if another instance took a shard first: other shards may remain. */
  private boolean grant(
      JobQueue.Row row,
      Map<String, WorkerDemand> workerDemands,
      List<ShardAssignment.Candidate> wants,
      List<VersionedDocument<Shard>> ready) {
    var job = jobs.granted(row.job());
    if (job.isEmpty()) return true;
    var byStart = new HashMap<Long, VersionedDocument<Shard>>();
    ready.forEach(s -> byStart.put(s.value().start(), s));
    var assigned =
        ReadyShards.assign(
            workerDemands, wants, ready.stream().map(VersionedDocument::value).toList());
    var fitting = concurrencyLimit.limited(job.get(), assigned);
    // What was to be split was changed by another instance first.
    if (fitting.isEmpty()) return assigned.isEmpty();
    var leaseGrants = new ArrayList<LeaseGrant>();
    for (var entry : fitting.entrySet()) {
      var workerDemand = requireNonNull(workerDemands.get(entry.getKey()));
      var shards =
          entry.getValue().stream().map(s -> requireNonNull(byStart.get(s.start()))).toList();
      var most = HeldLimit.SHARDS - workerDemand.pendingSync.worker().held().size();
      if (most > 0)
        leaseGrants.add(
            new LeaseGrant(
                row, job.get(), workerDemand, shards.subList(0, Math.min(shards.size(), most))));
    }
    return commit(row, workerDemands, GrantBatch.of(context, leaseGrants));
  }

  private boolean commit(
      JobQueue.Row row, Map<String, WorkerDemand> workerDemands, List<GrantBatch> grantBatches) {
    var all = true;
    for (var from = 0; from < grantBatches.size(); from += LANES) {
      // This instance may have been suspended since it read the job, which may be stopped by now.
      if (jobs.granted(row.job()).isEmpty()) return false;
      var some = grantBatches.subList(from, Math.min(grantBatches.size(), from + LANES));
      context.executor().runAll(some);
      for (var grantBatch : some)
        for (var leaseGrant : grantBatch.grants()) all &= settle(leaseGrant, workerDemands);
    }
    return all;
  }

  /** False if another instance took a shard first. */
  private boolean settle(LeaseGrant leaseGrant, Map<String, WorkerDemand> workerDemands) {
    switch (leaseGrant.result()) {
      case GRANTED -> {
        var before = leaseGrant.demand().pendingSync.worker();
        listener.granted(leaseGrant.worker(), concurrencyLimit.counted(leaseGrant));
        recent.record(before, leaseGrant.demand().pendingSync.worker());
      }
      case WORKER_CHANGED -> {
        leaseGrant.demand().pendingSync.markStale();
        workerDemands.remove(leaseGrant.worker());
      }
      case SHARD_TAKEN -> {
        instanceTaskRange.noteConflict();
        return false;
      }
    }
    return true;
  }
}
