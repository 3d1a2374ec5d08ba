package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.TriggerSender;
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

  private final Ports ports;
  private final WorkerTransitions workerTransitions;
  private final LaunchFailures launchFailures;
  private final MachineLauncher machineLauncher;
  private final MachineOrders orders;
  private final ParallelWorkerReconciler parallelWorkerReconciler;
  private final JobReconciler jobs;
  private final HeartbeatReconciler beats;
  private final ChangeSignalPruner pulses;
  private final LeasePreemption leasePreemption;
  private final GangAllocator gangAllocator;
  private final Map<String, ClusterCache> sights = new ConcurrentHashMap<>();

  ClusterReconciler(Ports ports, Timings timings, String workersUrl) {
    this.ports = ports;
    workerTransitions = new WorkerTransitions(ports, timings);
    launchFailures = new LaunchFailures(ports, workerTransitions);
    machineLauncher =
        new MachineLauncher(ports, timings, workersUrl, workerTransitions, launchFailures);
    orders = new MachineOrders(ports.alarms(), machineLauncher);
    var care =
        new WorkerReconciler(ports, timings, workerTransitions, machineLauncher, launchFailures);
    parallelWorkerReconciler =
        new ParallelWorkerReconciler(ports, timings, workerTransitions, care);
    jobs = new JobReconciler(ports);
    beats = new HeartbeatReconciler(ports, timings);
    pulses = new ChangeSignalPruner(ports);
    leasePreemption = new LeasePreemption(ports, timings);
    gangAllocator = new GangAllocator(ports.ledger(), ports.clock());
  }

  /**
   * True if another process changed the cluster before this look launched all that it wanted. That
   * process may lack this look's information, so the look must run again.
   */
  boolean run(String uid, ReconcileRequest asked, FailureLog failureLog) {
    var read = ports.ledger().read(new DocumentKey.OfCluster(uid));
    if (read.isEmpty() || read.get().value().phase() == Cluster.Phase.GONE) {
      sights.remove(uid);
      return false;
    }
    var sight = sights.computeIfAbsent(uid, _ -> new ClusterCache(ports.ledger(), ports.clock()));
    sight.read(read.get(), asked, failureLog);
    return run(read.get(), sight, asked, failureLog);
  }

  private boolean run(
      VersionedDocument<Cluster> cluster,
      ClusterCache sight,
      ReconcileRequest asked,
      FailureLog failureLog) {
    var tick = asked.tick();
    var uid = cluster.value().uid();
    var live = jobs.reconcile(cluster.value(), sight, tick, failureLog);
    parallelWorkerReconciler.reconcile(cluster.value(), sight, tick, failureLog);
    if (tick)
      failureLog.guard("heartbeats", () -> beats.reconcile(uid, sight.workers(), failureLog));
    if (tick) failureLog.guard("change signal", () -> pulses.prune(uid));
    if (cluster.value().phase() == Cluster.Phase.GOING
        && live.live() == 0
        && sight.workers().isEmpty()
        && sight.unreadable().isEmpty()) {
      failureLog.guard("job queue", () -> jobs.storeQueue(live, List.of(), List.of()));
      close(cluster);
      return false;
    }
    var unknown = WorkerNames.pools(cluster.value(), sight.unreadable());
    if (sight.isWhole() && forgotten(cluster, sight.workers(), unknown)) return false;
    var remainingTpuQuota = RemainingTpuQuota.of(ports, cluster.value().spec());
    var plan = plan(cluster.value(), sight, live.demands(), remainingTpuQuota, failureLog);
    if (plan.isEmpty()) return false;
    if (sight.isWhole() || drains(plan.get()).isEmpty())
      return carryOut(cluster, sight, live, plan.get(), remainingTpuQuota, failureLog);
    if (asked.jobs().isEmpty())
      return carryOut(
          cluster, sight, live, withoutDrains(plan.get()), remainingTpuQuota, failureLog);
    sight.read(cluster, ReconcileRequest.WHOLE, failureLog);
    return run(cluster, sight, ReconcileRequest.WHOLE, failureLog);
  }

  private static List<PlanDecision.Drain> drains(Plan plan) {
    return plan.decisions().stream()
        .filter(PlanDecision.Drain.class::isInstance)
        .map(PlanDecision.Drain.class::cast)
        .toList();
  }

  /**
   * What nobody needs is known by all that is there: by what a process remembers, a machine that
   * another one has just launched may seem one too many. The tick ends it.
   */
  private static Plan withoutDrains(Plan plan) {
    var rest = new ArrayList<>(plan.decisions());
    rest.removeAll(drains(plan));
    return new Plan(rest, plan.keeps(), plan.gaveUp(), plan.whys());
  }

  private boolean carryOut(
      VersionedDocument<Cluster> cluster,
      ClusterCache sight,
      JobReconciler.Jobs live,
      Plan plan,
      RemainingTpuQuota remainingTpuQuota,
      FailureLog failureLog) {
    var workers = sight.workers();
    act(cluster.value(), sight, plan, failureLog);
    var intents = new ArrayList<MachineLauncher.Intent>();
    var overtaken = new AtomicBoolean();
    failureLog.guard(
        "launch",
        () ->
            overtaken.set(
                !machineLauncher.storeIntents(
                    cluster, launches(plan), remainingTpuQuota, sight, intents)));
    var keeps = KeptWorkerNames.named(plan.keeps(), intents);
    var known = workers.stream().map(VersionedDocument::value).toList();
    failureLog.guard("job queue", () -> jobs.storeQueue(live, known, keeps));
    orders.order(cluster.value(), intents, failureLog);
    parallelWorkerReconciler.orderAgain(cluster.value(), workers, sight, plan, failureLog);
    return overtaken.get();
  }

  private static List<Worker> known(ClusterCache sight) {
    return sight.workers().stream().map(VersionedDocument::value).toList();
  }

  /** Whether slices by hand that were deleted and are gone were taken out; then a look goes on. */
  private boolean forgotten(
      VersionedDocument<Cluster> versionedDocument,
      List<VersionedDocument<Worker>> workers,
      Map<String, Integer> unknown) {
    var cluster = versionedDocument.value();
    var left =
        cluster.spec().pools().stream()
            .filter(pool ->
                !pool.manual()
                    || pool.max() > 0
                    || unknown.containsKey(pool.name())
                    || workers.stream().anyMatch(w -> w.value().pool().equals(pool.name())))
            .toList();
    if (left.size() == cluster.spec().pools().size()) return false;
    var next =
        new ManualEdits(ports.codec())
            .changed(cluster, cluster.spec().with(left), cluster.versions());
    var forgotten =
        ports.ledger().commit(List.of(new LedgerWrite.Update(next, versionedDocument.version())));
    if (forgotten.done()) TriggerSender.send(ports.bus(), new Trigger.Look(cluster.uid()));
    return forgotten.done();
  }

  /**
   * The plan is made again once the workers that it is about were read: what was known of them may
   * be old. Empty if what is there changes faster than it can be read; the tick reads it at once.
   */
  private Optional<Plan> plan(
      Cluster cluster,
      ClusterCache sight,
      List<JobDemand> jobDemands,
      RemainingTpuQuota remainingTpuQuota,
      FailureLog failureLog) {
    var wanted =
        !jobDemands.isEmpty() || cluster.spec().pools().stream().anyMatch(p -> p.min() > 0);
    List<Stockout> stockouts = wanted ? stockouts(failureLog) : List.of();
    for (var tries = 0; tries < PLANS; tries++) {
      var unknown = WorkerNames.pools(cluster, sight.unreadable());
      var now = ports.clock().instant();
      var left = remainingTpuQuota.left();
      var clusterSnapshot =
          new ClusterSnapshot(now, cluster, known(sight), jobDemands, stockouts, left, unknown);
      var plan = Planner.planWithReasons(clusterSnapshot);
      var touched = changed(sight.isWhole() ? plan : withoutDrains(plan));
      if (!sight.readFirst(cluster.uid(), touched, failureLog)) return Optional.of(plan);
    }
    return Optional.empty();
  }

  /** The workers that are there and that a plan changes. */
  private static List<String> changed(Plan plan) {
    var changed = new ArrayList<String>();
    for (var planDecision : plan.decisions())
      switch (planDecision) {
        case PlanDecision.Drain d -> changed.add(d.worker());
        case PlanDecision.PreemptLease y -> changed.add(y.worker());
        case PlanDecision.FormGang g -> changed.addAll(g.workers());
        case PlanDecision.Launch _, PlanDecision.Wait _, PlanDecision.Impossible _ -> {}
      }
    return changed;
  }

  /** One that cannot be read is written anew by the next refusal there. */
  private List<Stockout> stockouts(FailureLog failureLog) {
    return ports
        .ledger()
        .query(new LedgerQuery.Stockouts())
        .readable(failureLog::unreadable)
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private void act(Cluster cluster, ClusterCache sight, Plan plan, FailureLog failureLog) {
    var byName = new HashMap<String, VersionedDocument<Worker>>();
    for (var versionedDocument : sight.workers())
      byName.put(versionedDocument.value().name(), versionedDocument);
    changed(plan).forEach(sight::markChanged);
    for (var abandonedGang : plan.gaveUp())
      failureLog.guard(
          "zone " + abandonedGang.zone(), () -> launchFailures.gangFailed(cluster, abandonedGang));
    parallelWorkerReconciler.drain(cluster, drains(plan), byName, failureLog);
    for (var planDecision : plan.decisions())
      switch (planDecision) {
        case PlanDecision.PreemptLease y ->
            failureLog.guard(
                "lease " + y.lease().attempt(), () -> leasePreemption.preempt(cluster.uid(), y));
        case PlanDecision.FormGang g ->
            failureLog.guard(
                "gang of " + g.job(), () -> gangAllocator.allocate(cluster.uid(), g, byName));
        // Handled elsewhere: drains and launches by this round, the other two by explain.
        case PlanDecision.Drain _,
            PlanDecision.Launch _,
            PlanDecision.Wait _,
            PlanDecision.Impossible _ -> {}
      }
  }

  private static List<PlanDecision.Launch> launches(Plan plan) {
    var wanted = new ArrayList<PlanDecision.Launch>();
    for (var planDecision : plan.decisions())
      if (planDecision instanceof PlanDecision.Launch launch) wanted.add(launch);
    return wanted;
  }

  /**
   * A cluster that was taken down is gone when neither the ledger nor the cloud has anything of it.
   */
  private void close(VersionedDocument<Cluster> versionedDocument) {
    var cluster = versionedDocument.value();
    var inventory = ports.fleet().list();
    var left =
        inventory.machines().stream()
            .anyMatch(m -> cluster.uid().equals(m.labels().get(CloudMachine.CLUSTER)));
    if (left || !inventory.complete()) return;
    var now = ports.clock().instant();
    var gone = cluster.withGone(now);
    var name = "cluster/" + cluster.spec().name();
    var eventRecord =
        workerTransitions.event(cluster.uid(), name, "gone", "nothing of it is left in the cloud");
    ports
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(gone, versionedDocument.version()),
                new LedgerWrite.Put(eventRecord)));
  }
}
