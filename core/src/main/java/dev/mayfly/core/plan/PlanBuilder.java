package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.KeptWorkerPlanner;
import dev.mayfly.core.plan.capacity.KeptWorkers;
import dev.mayfly.core.plan.capacity.LeasePreemptionRules;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A plan in progress: the decisions so far, and the remaining capacity. */
final class PlanBuilder {
  private final ClusterSnapshot clusterSnapshot;
  private final Cluster cluster;
  private final LeasePreemptionRules leasePreemptionRules;
  private final KeptWorkerPlanner keptWorkerPlanner;
  private final PlannedLaunches plannedLaunches;
  private final PlanVetoes planVetoes = new PlanVetoes();
  private final KeptWorkers keptWorkers;
  private final GangPlanner gangs;
  private final Map<String, Long> placed;
  private ClusterCapacity clusterCapacity;

  /**
   * @param ending workers that are about to end
   */
  PlanBuilder(ClusterSnapshot clusterSnapshot, Map<String, PlanDecision.Drain> ending) {
    this.clusterSnapshot = clusterSnapshot;
    cluster = clusterSnapshot.cluster();
    leasePreemptionRules = new LeasePreemptionRules(clusterSnapshot);
    keptWorkerPlanner =
        new KeptWorkerPlanner(clusterSnapshot, leasePreemptionRules, ending.keySet());
    var zoneAvailability = new ZoneAvailability(clusterSnapshot.stockouts(), clusterSnapshot.now());
    var clusterInventory = ClusterInventory.of(clusterSnapshot, ending);
    placed = clusterInventory.placed();
    clusterCapacity = clusterInventory.capacity();
    plannedLaunches = new PlannedLaunches(clusterSnapshot, zoneAvailability, clusterInventory);
    keptWorkers = new KeptWorkers(clusterSnapshot, clusterCapacity.keepers());
    var gangCandidates = new GangCandidates(clusterSnapshot, ending.keySet());
    gangs =
        new GangPlanner(
            clusterSnapshot,
            gangCandidates,
            plannedLaunches,
            zoneAvailability,
            keptWorkerPlanner,
            keptWorkers,
            planVetoes);
  }

  /** Records which jobs a limit keeps from demanding anything. */
  void limit(Map<String, Veto> vetoes) {
    for (var job : clusterSnapshot.jobs())
      if (vetoes.containsKey(job.job())) planVetoes.of(job, List.of(vetoes.get(job.job())));
  }

  /** Launches machines up to a pool's minimum. */
  void keepMinimum(PoolSpec pool) {
    if (pool.provisioning() == Provisioning.STATIC) return;
    var missing = pool.min() - plannedLaunches.live(pool);
    if (missing <= 0) return;
    var launched = plannedLaunches.launchWarm(pool, missing, "workers.min is " + pool.min());
    if (launched.room().isPresent()) clusterCapacity = clusterCapacity.plus(launched.room().get());
    planVetoes.ofPool(pool, launched.vetoes());
  }

  /** Finds room for a job's open tasks, first on existing workers, then on launches. */
  void serve(JobDemand job) {
    if (job.gang() > 1) {
      // Workers that the job does not claim again are free for later jobs.
      keptWorkers.release(job);
      clusterCapacity = gangs.serve(job, clusterCapacity.keeping(keptWorkers.keepers()));
      return;
    }
    // Tasks that must not run twice stay with the worker that holds them.
    var elsewhere =
        job.standing().exclusive() ? 0 : job.leased() - placed.getOrDefault(job.job(), 0L);
    var open = job.ready() + Math.max(0, elsewhere);
    for (var resourceRequest : ResourceRequest.of(job, open, cluster.spec(), clusterSnapshot.now()))
      serve(resourceRequest);
  }

  private void serve(ResourceRequest resourceRequest) {
    var job = resourceRequest.job();
    var allocation =
        resourceRequest.nowhere()
            ? ClusterCapacity.Allocation.none(clusterCapacity)
            : clusterCapacity.take(job, resourceRequest.open());
    var closed =
        allocation.filled() < resourceRequest.open() ? keptWorkers.closedTo(job) : List.<Veto>of();
    clusterCapacity = allocation.capacity();
    planVetoes.found(job, allocation.taken());
    var open = resourceRequest.open() - allocation.filled();
    if (open <= 0) {
      keepFor(job, keptWorkerPlanner.free(job));
      return;
    }
    if (!job.place().allowsLaunches()) {
      planVetoes.of(job, List.of(new JobVeto.Pinned(job.place().workers())));
      lacks(job, pools(job));
      return;
    }
    launch(resourceRequest, open, closed);
  }

  private void launch(ResourceRequest resourceRequest, long missing, List<Veto> closed) {
    var job = resourceRequest.job();
    var pools = new LinkedHashSet<String>();
    var open = mayLaunch(job, missing);
    for (var pool : inOrder(job, resourceRequest.pools())) {
      if (Feasibility.why(job.need(), job.place(), pool).isPresent()) continue;
      pools.add(pool.name());
      if (open > 0 && pool.provisioning() == Provisioning.STATIC)
        planVetoes.of(job, List.of(ownMachines(pool)));
      else if (open > 0 && !pool.manual()) open -= launch(pool, resourceRequest, open);
    }
    if (pools.isEmpty() && resourceRequest.why().isEmpty())
      planVetoes.impossible(job, cluster.spec());
    else if (pools.isEmpty()) planVetoes.of(job, List.of(new JobVeto.NoOnDemandPool()));
    else if (open > 0) {
      planVetoes.of(job, closed);
      lacks(job, pools);
    } else keepFor(job, keptWorkerPlanner.free(job));
  }

  /** Of tasks that fail alike, only so many as keep one machine at work until one succeeds. */
  private long mayLaunch(JobDemand job, long open) {
    if (job.waiting().crashLoop().isEmpty()) return open;
    planVetoes.of(job, List.of(job.waiting().crashLoop().get()));
    return job.leased() > 0 || planVetoes.hasRoom(job) ? 0 : 1;
  }

  /** Pools with accelerators that the job did not request come last. */
  private static List<PoolSpec> inOrder(JobDemand job, List<PoolSpec> pools) {
    var plain = new ArrayList<PoolSpec>();
    var accelerated = new ArrayList<PoolSpec>();
    for (var pool : pools) {
      var gpus = pool.visible().gpuMillis() > 0 && !job.need().needsGpu();
      var tpus = pool.visible().tpuChips() > 0 && job.need().tpuChips() == 0;
      (gpus || tpus ? accelerated : plain).add(pool);
    }
    plain.addAll(accelerated);
    return plain;
  }

  private void lacks(JobDemand job, Set<String> pools) {
    planVetoes.lacks(job);
    var mine = new HashSet<>(pools);
    mine.removeIf(pool -> keptWorkerPlanner.isAsked(pool, job));
    // A job that waits for one place among many is not blocked by an earlier job that cannot use
    // it.
    if (!mine.isEmpty()) keepFor(job, keptWorkerPlanner.forTasks(job, mine));
    keptWorkerPlanner.waits(job, List.copyOf(pools));
  }

  private Set<String> pools(JobDemand job) {
    return cluster.spec().pools().stream()
        .map(PoolSpec::name)
        .filter(job.place()::allowsPool)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void keepFor(JobDemand job, List<Worker> workers) {
    if (workers.isEmpty() && job.waiting().kept().isEmpty()) return;
    keptWorkers.release(job);
    if (!workers.isEmpty()) {
      keptWorkers.keep(job, workers, List.of(), keptWorkerPlanner.until(workers, job));
      for (var worker : workers) planVetoes.of(job, List.of(new JobVeto.Kept(worker.name())));
    }
    clusterCapacity = clusterCapacity.keeping(keptWorkers.keepers());
  }

  private long launch(PoolSpec pool, ResourceRequest resourceRequest, long open) {
    var job = resourceRequest.job();
    var slots = TpuTypes.isOneHost(pool.machineType()) ? pool.visible().slots(job.need()) : 1;
    var wanted = Math.min(Planner.LAUNCHES, open / slots + (open % slots == 0 ? 0 : 1));
    var reason =
        (open == 1 ? "1 task of job %s has no room" : open + " tasks of job %s have no room")
                .formatted(job.name())
            + (pool.provisioning() == Provisioning.SPOT ? "" : resourceRequest.why());
    var launched = plannedLaunches.launch(pool, job, (int) wanted, reason);
    planVetoes.of(job, launched.vetoes());
    if (launched.room().isEmpty()) return 0;
    planVetoes.launched(job, launched.room().get());
    var allocation = new ClusterCapacity(List.of(launched.room().get()), Map.of()).take(job, open);
    for (var room : allocation.capacity().rooms()) clusterCapacity = clusterCapacity.plus(room);
    return allocation.filled();
  }

  private Veto ownMachines(PoolSpec pool) {
    return new PoolVeto.OwnMachines(pool.name(), plannedLaunches.live(pool), pool.max());
  }

  Plan plan(Map<String, PlanDecision.Drain> ending) {
    var leftovers =
        new UnneededWorkers(clusterSnapshot, clusterCapacity, gangs.letGo())
            .drains(keptWorkerPlanner.kept(), ending.keySet());
    var planDecisions = new ArrayList<PlanDecision>(ending.values());
    planDecisions.addAll(leftovers);
    planDecisions.addAll(gangs.decisions());
    planDecisions.addAll(plannedLaunches.decisions());
    planDecisions.addAll(
        new LeasePreemptionPlanner(clusterSnapshot, leasePreemptionRules, keptWorkerPlanner)
            .yields(planVetoes.starved(), keptWorkers.keeps()));
    return new Plan(
        planDecisions,
        keptWorkers.keeps(),
        gangs.gaveUp(leftovers),
        planVetoes.jobs(),
        planVetoes.pools(),
        planVetoes.found());
  }
}
