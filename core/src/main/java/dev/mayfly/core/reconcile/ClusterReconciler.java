package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.MonthSpent;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.waiting.WaitingFacts;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.reconcile.preemption.LeasePreemption;
import dev.mayfly.core.reconcile.preemption.RunningPreemption;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobProgressWriter;
import dev.mayfly.core.state.job.TaskTimeReader;
import dev.mayfly.core.state.job.limit.JobLimits;
import dev.mayfly.core.state.worker.MoneyWatch;
import dev.mayfly.core.state.worker.UsageDays;
import dev.mayfly.core.state.worker.WorkerNames;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** One pass over a cluster: observe, do what is owed, plan, commit, act. */
public final class ClusterReconciler {
  public static final int WORKERS = 10_000;
  private static final int PLANS = 4;

  private final Context context;
  private final LaunchFailures launchFailures;
  private final MachineLauncher machineLauncher;
  private final MachineOrders orders;
  private final ParallelWorkerReconciler parallelWorkerReconciler;
  private final JobReconciler jobs;
  private final HeartbeatReconciler heartbeats;
  private final ChangeSignalPruner changeSignals;
  private final UsageDays usageDays;
  private final MoneyWatch moneyWatch;
  private final JobLimits jobLimits;
  private final LeasePreemption leasePreemption;
  private final RunningPreemption runningPreemption;
  private final GangAllocator gangAllocator;
  private final StorageWarnings storageWarnings;
  private final JobProgressWriter jobProgressWriter;
  private final Map<String, ClusterCache> caches = new ConcurrentHashMap<>();

  ClusterReconciler(Context context, String workersUrl, WorkerTransitions workerTransitions) {
    this.context = context;
    launchFailures = new LaunchFailures(context, workerTransitions);
    machineLauncher = new MachineLauncher(context, workersUrl, workerTransitions, launchFailures);
    orders = new MachineOrders(context.executor(), machineLauncher);
    var workerReconciler =
        new WorkerReconciler(context, workerTransitions, machineLauncher, launchFailures);
    parallelWorkerReconciler =
        new ParallelWorkerReconciler(context, workerTransitions, workerReconciler);
    jobs = new JobReconciler(context);
    heartbeats = new HeartbeatReconciler(context);
    changeSignals = new ChangeSignalPruner(context);
    usageDays = new UsageDays(context);
    moneyWatch = new MoneyWatch(context);
    jobLimits = new JobLimits(context);
    leasePreemption = new LeasePreemption(context);
    runningPreemption = new RunningPreemption(context);
    gangAllocator = new GangAllocator(context.ledger(), context.clock());
    storageWarnings = new StorageWarnings(context);
    jobProgressWriter = new JobProgressWriter(context);
  }

  /**
   * True if another process changed the cluster before this reconcile launched all that it wanted.
   * That process may lack this one's information, so the reconcile must run again.
   */
  boolean run(String uid, ReconcileRequest request, FailureLog failureLog) {
    var read = context.ledger().read(new DocumentKey.OfCluster(uid));
    if (read.isEmpty() || read.get().value().phase() == Cluster.Phase.GONE) {
      caches.remove(uid);
      return false;
    }
    var cache =
        caches.computeIfAbsent(uid, _ -> new ClusterCache(context.ledger(), context.clock()));
    cache.read(read.get(), request, failureLog);
    return run(read.get(), cache, request, failureLog);
  }

  private boolean run(
      VersionedDocument<Cluster> cluster,
      ClusterCache cache,
      ReconcileRequest request,
      FailureLog failureLog) {
    var tick = request.tick();
    var uid = cluster.value().uid();
    var live = jobs.reconcile(cluster.value(), cache, tick, failureLog);
    parallelWorkerReconciler.reconcile(cluster.value(), cache, tick, failureLog);
    if (tick)
      failureLog.guard("heartbeats", () -> heartbeats.reconcile(uid, cache.workers(), failureLog));
    // What ended last may wait without workers. A job that waits for the next month asks for it.
    if (tick
        && (!cache.workers().isEmpty() || MoneyWatch.mayKeep(cluster.value(), cache.live() > 0)))
      failureLog.guard(
          "usage",
          () -> usageDays.run(uid, cache.workers(), cache.jobs(), failureLog, cache::updateJob));
    var stopped =
        jobLimits.check(
            cluster.value(), cache.storedJobs(), known(cache), tick, failureLog, cache::updateJob);
    var spent = moneyWatch.spent(cluster.value(), known(cache), cache.live() > 0, tick, failureLog);
    if (tick) failureLog.guard("change signal", () -> changeSignals.prune(uid));
    if (cluster.value().phase() == Cluster.Phase.GOING
        && live.live() == 0
        && cache.workers().isEmpty()
        && cache.unreadable().isEmpty()) {
      failureLog.guard("job queue", () -> jobs.storeQueue(live, List.of(), List.of()));
      close(cluster, failureLog);
      return false;
    }
    if (tick && cache.isWhole() && storageWarnings.update(cluster, known(cache))) return false;
    var unknown = WorkerNames.pools(cluster.value(), cache.unreadable());
    if (cache.isWhole() && removeDeletedSlices(cluster, cache.workers(), unknown)) return false;
    var remainingTpuQuota = RemainingTpuQuota.of(context, cluster.value().spec());
    var planned =
        plan(
            cluster.value(), cache, spent, live.demandsBut(stopped), remainingTpuQuota, failureLog);
    if (planned.isEmpty()) return false;
    var plan = planned.get().plan();
    if (cache.isWhole() || drains(plan).isEmpty()) {
      var overtaken = carryOut(cluster, cache, live, plan, remainingTpuQuota, failureLog);
      if (tick)
        failureLog.guard(
            "progress", () -> jobProgressWriter.write(seen(planned.get(), cache), failureLog));
      return overtaken;
    }
    if (request.jobs().isEmpty())
      return carryOut(cluster, cache, live, withoutDrains(plan), remainingTpuQuota, failureLog);
    cache.read(cluster, ReconcileRequest.WHOLE, failureLog);
    return run(cluster, cache, ReconcileRequest.WHOLE, failureLog);
  }

  private static List<PlanDecision.Drain> drains(Plan plan) {
    return plan.decisions().stream()
        .filter(PlanDecision.Drain.class::isInstance)
        .map(PlanDecision.Drain.class::cast)
        .toList();
  }

  /**
   * Only a complete read shows which machines are unneeded: in cached state, a machine that another
   * process just launched may seem superfluous. The tick drains it.
   */
  private static Plan withoutDrains(Plan plan) {
    var rest = new ArrayList<>(plan.decisions());
    rest.removeAll(drains(plan));
    return plan.with(rest);
  }

  private boolean carryOut(
      VersionedDocument<Cluster> cluster,
      ClusterCache cache,
      JobReconciler.Jobs live,
      Plan plan,
      RemainingTpuQuota remainingTpuQuota,
      FailureLog failureLog) {
    var workers = cache.workers();
    act(cluster.value(), cache, plan, failureLog);
    var intents = new ArrayList<MachineLauncher.Intent>();
    var overtaken = new AtomicBoolean();
    failureLog.guard(
        "launch",
        () ->
            overtaken.set(
                !machineLauncher.storeIntents(
                    cluster, launches(plan), remainingTpuQuota, cache, intents)));
    var keeps = KeptWorkerNames.named(plan.keeps(), intents);
    var known = workers.stream().map(VersionedDocument::value).toList();
    failureLog.guard("job queue", () -> jobs.storeQueue(live, known, keeps));
    orders.order(cluster.value(), intents, failureLog);
    parallelWorkerReconciler.orderAgain(cluster.value(), workers, cache, plan, failureLog);
    return overtaken.get();
  }

  private static List<Worker> known(ClusterCache cache) {
    return cache.workers().stream().map(VersionedDocument::value).toList();
  }

  /**
   * Removes manual slices that were deleted and are gone from the spec; true if it did, then
   * another reconcile continues.
   */
  private boolean removeDeletedSlices(
      VersionedDocument<Cluster> storedCluster,
      List<VersionedDocument<Worker>> workers,
      Map<String, Integer> unknown) {
    var cluster = storedCluster.value();
    var remaining =
        cluster.spec().pools().stream()
            .filter(pool ->
                !pool.manual()
                    || pool.max() > 0
                    || unknown.containsKey(pool.name())
                    || workers.stream().anyMatch(w -> w.value().pool().equals(pool.name())))
            .toList();
    if (remaining.size() == cluster.spec().pools().size()) return false;
    var next =
        new ManualEdits(context.codec())
            .changed(cluster, cluster.spec().with(remaining), cluster.versions());
    var committed =
        context.ledger().commit(List.of(new LedgerWrite.Update(next, storedCluster.version())));
    if (committed.done()) TriggerSender.send(context.bus(), new Trigger.Reconcile(cluster.uid()));
    return committed.done();
  }

  private static JobProgressWriter.Seen seen(TaskTimeReader.Planned planned, ClusterCache cache) {
    var waiting = new WaitingPlan(planned.of(), planned.plan(), WaitingFacts.NONE);
    return new JobProgressWriter.Seen(cache.storedJobs(), cache::totals, known(cache), waiting);
  }

  /**
   * The plan is made again once its workers were read, because cached state may be outdated. Empty
   * if state changes faster than it can be read; the tick reads everything at once.
   */
  private Optional<TaskTimeReader.Planned> plan(
      Cluster cluster,
      ClusterCache cache,
      Optional<MonthSpent> spentThisMonth,
      List<JobDemand> jobDemands,
      RemainingTpuQuota remainingTpuQuota,
      FailureLog failureLog) {
    var wanted =
        !jobDemands.isEmpty() || cluster.spec().pools().stream().anyMatch(p -> p.min() > 0);
    List<Stockout> stockouts = wanted ? stockouts(failureLog) : List.of();
    for (var tries = 0; tries < PLANS; tries++) {
      var unknown = WorkerNames.pools(cluster, cache.unreadable());
      var now = context.clock().instant();
      var remaining = remainingTpuQuota.left();
      var clusterSnapshot =
          new ClusterSnapshot(now, cluster, known(cache), jobDemands, stockouts, remaining, unknown)
              .withSpentThisMonth(spentThisMonth)
              .withUses(cache.queue().value().map(JobQueue::ownerUses).orElse(List.of()));
      var planned = new TaskTimeReader(context.ledger()).plan(clusterSnapshot);
      var plan = planned.plan();
      var touched = changed(cache.isWhole() ? plan : withoutDrains(plan));
      if (!cache.readFirst(cluster.uid(), touched, failureLog)) return Optional.of(planned);
    }
    return Optional.empty();
  }

  /** The existing workers that a plan changes. */
  private static List<String> changed(Plan plan) {
    var changed = new ArrayList<String>();
    for (var planDecision : plan.decisions()) changed.addAll(planDecision.changes());
    return changed;
  }

  /** An unreadable stockout is replaced by the next refusal there. */
  private List<Stockout> stockouts(FailureLog failureLog) {
    return context
        .ledger()
        .query(new LedgerQuery.Stockouts())
        .readable(failureLog::unreadable)
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private void act(Cluster cluster, ClusterCache cache, Plan plan, FailureLog failureLog) {
    var byName = new HashMap<String, VersionedDocument<Worker>>();
    for (var storedWorker : cache.workers()) byName.put(storedWorker.value().name(), storedWorker);
    changed(plan).forEach(cache::markChanged);
    for (var abandonedGang : plan.gaveUp())
      failureLog.guard(
          "zone " + abandonedGang.zone(), () -> launchFailures.gangFailed(cluster, abandonedGang));
    parallelWorkerReconciler.drain(cluster, drains(plan), byName, failureLog);
    for (var planDecision : plan.decisions())
      switch (planDecision) {
        case PlanDecision.PreemptLease preempt ->
            failureLog.guard(
                "lease " + preempt.lease().attempt(),
                () -> leasePreemption.preempt(cluster.uid(), preempt));
        case PlanDecision.EndTasks end ->
            failureLog.guard(
                "lease " + end.lease().attempt(), () -> runningPreemption.end(cluster.uid(), end));
        case PlanDecision.FormGang gang ->
            failureLog.guard(
                "gang of " + gang.job(), () -> gangAllocator.allocate(cluster.uid(), gang, byName));
        // This reconcile handles them elsewhere.
        case PlanDecision.Drain _, PlanDecision.Launch _ -> {}
      }
  }

  private static List<PlanDecision.Launch> launches(Plan plan) {
    var wanted = new ArrayList<PlanDecision.Launch>();
    for (var planDecision : plan.decisions())
      if (planDecision instanceof PlanDecision.Launch launch) wanted.add(launch);
    return wanted;
  }

  /** A cluster that was taken down is gone when neither ledger nor cloud has anything of it. */
  private void close(VersionedDocument<Cluster> storedCluster, FailureLog failureLog) {
    var cluster = storedCluster.value();
    var inventory = context.fleet().list();
    usageDays.run(cluster.uid(), List.of(), List.of(), failureLog, _ -> {});
    var remaining =
        inventory.machines().stream()
            .anyMatch(m -> cluster.uid().equals(m.labels().get(CloudMachine.CLUSTER)));
    if (remaining || !inventory.complete()) return;
    var now = context.clock().instant();
    var gone = cluster.withGone(now);
    var name = "cluster/" + cluster.spec().name();
    var eventRecord =
        context.event(cluster.uid(), name, "gone", "no machines are left in the cloud");
    context
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(gone, storedCluster.version()),
                new LedgerWrite.Put(eventRecord)));
  }
}
