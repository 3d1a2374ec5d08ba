package dev.mayfly.core.plan;

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
import dev.mayfly.core.plan.pace.DoneSooner;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
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
  private final Set<String> nominees = new HashSet<>();
  private final PoolChoice poolChoice;
  private final Packing packing;
  private final boolean packs;
  private ClusterCapacity clusterCapacity;
  private boolean packingMatters;

  /**
   * @param ending workers that are about to end
   * @param packs whether machines are launched for the hardest tasks first, else in the order of
   *     the queue
   */
  PlanBuilder(
      ClusterSnapshot clusterSnapshot, Map<String, PlanDecision.Drain> ending, boolean packs) {
    this.clusterSnapshot = clusterSnapshot;
    this.packs = packs;
    cluster = clusterSnapshot.cluster();
    packing = new Packing(cluster.spec().pools());
    for (var worker : clusterSnapshot.workers()) worker.nominee().ifPresent(nominees::add);
    leasePreemptionRules = new LeasePreemptionRules(clusterSnapshot);
    keptWorkerPlanner =
        new KeptWorkerPlanner(clusterSnapshot, leasePreemptionRules, ending.keySet());
    var zoneAvailability = new ZoneAvailability(clusterSnapshot.stockouts(), clusterSnapshot.now());
    poolChoice = new PoolChoice(clusterSnapshot, zoneAvailability);
    var clusterInventory = ClusterInventory.of(clusterSnapshot, ending);
    placed = clusterInventory.placed();
    var doneSooner = new DoneSooner(clusterSnapshot, ending.keySet(), placed);
    clusterCapacity = clusterInventory.capacity();
    var unmetDemand = new UnmetDemand(clusterSnapshot);
    plannedLaunches =
        new PlannedLaunches(
            clusterSnapshot,
            zoneAvailability,
            poolChoice,
            clusterInventory,
            unmetDemand,
            doneSooner);
    keptWorkers = new KeptWorkers(clusterSnapshot, clusterCapacity.keepers());
    var gangCandidates = new GangCandidates(clusterSnapshot, ending.keySet());
    gangs =
        new GangPlanner(
            clusterSnapshot,
            gangCandidates,
            plannedLaunches,
            zoneAvailability,
            poolChoice,
            keptWorkerPlanner,
            keptWorkers,
            planVetoes,
            unmetDemand);
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
    launchWarm(pool, missing, "workers.min is " + pool.min());
  }

  /** Launches machines beyond those that tasks take, once all tasks have room. */
  void keepSpare(PoolSpec pool) {
    if (!starved().isEmpty()) return;
    var missing = new SpareMachines(clusterSnapshot, Set.of()).missing(pool, clusterCapacity);
    launchWarm(pool, missing, "workers.spare is " + pool.spares());
  }

  private void launchWarm(PoolSpec pool, int missing, String reason) {
    if (missing <= 0) return;
    var launched = plannedLaunches.launchWarm(pool, missing, reason);
    if (launched.room().isPresent()) clusterCapacity = clusterCapacity.plus(launched.room().get());
    planVetoes.ofPool(pool, launched.vetoes());
  }

  /**
   * Finds room for the open tasks of jobs, first on existing workers, then on launches.
   *
   * @param run jobs that may be packed together
   */
  void serve(List<JobDemand> run) {
    if (run.getFirst().gang() > 1) serveGang(run.getFirst());
    else serveTasks(run.stream().flatMap(job -> requests(job).stream()).toList());
  }

  private void serveTasks(List<ResourceRequest> requests) {
    if (nominees.isEmpty() && !packs) {
      serveInOrder(requests);
      return;
    }
    var hardest =
        packing.hardestFirst(
            lackingIn(requests, (job, open) -> clusterCapacity.takeInTurn(job, open)));
    // New machines are filled as the plan meant that launched them.
    var jobs = hardest.stream().map(request -> request.job().job()).toList();
    clusterCapacity = clusterCapacity.inOrderOf(jobs);
    var harder = new HashSet<String>();
    var lacking =
        lackingIn(
            hardest,
            (job, open) -> {
              harder.add(job.job());
              return clusterCapacity.takeNew(job, open, harder);
            });
    if (packs) lacking.forEach(this::serve);
    else serveInOrder(ResourceRequest.inOrder(lacking, requests));
  }

  private void serveGang(JobDemand job) {
    // Workers that the job does not claim again are free for later jobs.
    keptWorkers.release(job);
    clusterCapacity = gangs.serve(job, clusterCapacity.keeping(keptWorkers.keepers()));
  }

  private void serveInOrder(List<ResourceRequest> requests) {
    var lacking = new ArrayList<ResourceRequest>();
    for (var request : requests) if (serve(request)) lacking.add(request);
    packingMatters |= Packing.matters(lacking);
  }

  private List<ResourceRequest> requests(JobDemand job) {
    // Tasks that must not run twice stay with the worker that holds them.
    var elsewhere =
        job.standing().exclusive() ? 0 : job.leased() - placed.getOrDefault(job.job(), 0L);
    var open = job.ready() + Math.max(0, elsewhere);
    return ResourceRequest.of(job, open, cluster.spec(), clusterSnapshot.now());
  }

  private ResourceRequest taken(ResourceRequest request, ClusterCapacity.Allocation allocation) {
    clusterCapacity = allocation.capacity();
    planVetoes.found(request.job(), allocation.taken());
    return request.withOpen(request.open() - allocation.filled());
  }

  /** What the requests lack after each took of existing workers, first to last. */
  private List<ResourceRequest> lackingIn(
      List<ResourceRequest> requests,
      BiFunction<JobDemand, Long, ClusterCapacity.Allocation> take) {
    var lacking = new ArrayList<ResourceRequest>();
    for (var request : requests) {
      var rest =
          request.nowhere() ? request : taken(request, take.apply(request.job(), request.open()));
      if (rest.open() > 0) lacking.add(rest);
      else keepFor(request.job(), keptWorkerPlanner.free(request.job()));
    }
    return lacking;
  }

  private ResourceRequest existing(ResourceRequest request) {
    if (request.nowhere()) return request;
    return taken(request, clusterCapacity.take(request.job(), request.open()));
  }

  /** Whether existing workers lack room for it. */
  private boolean serve(ResourceRequest resourceRequest) {
    var job = resourceRequest.job();
    var rest = existing(resourceRequest);
    if (rest.open() <= 0) {
      keepFor(job, keptWorkerPlanner.free(job));
      return false;
    }
    var closed = keptWorkers.closedTo(job);
    if (!job.place().allowsLaunches()) {
      planVetoes.of(job, List.of(new JobVeto.Pinned(job.place().workers())));
      lacks(job, rest.open(), pools(job));
    } else launch(rest, rest.open(), closed);
    return true;
  }

  private void launch(ResourceRequest resourceRequest, long missing, List<Veto> closed) {
    var job = resourceRequest.job();
    var pools = new LinkedHashSet<String>();
    var open = mayLaunch(job, missing);
    for (var pool : poolChoice.inOrder(resourceRequest.poolsInOrder(), job, missing)) {
      if (Feasibility.why(job.need(), job.place(), pool).isPresent()) continue;
      pools.add(pool.name());
      if (open > 0 && pool.provisioning() == Provisioning.STATIC)
        planVetoes.of(job, List.of(plannedLaunches.ownMachines(pool, job, open)));
      else if (open > 0 && !pool.manual()) open -= launch(pool, resourceRequest, open);
    }
    if (pools.isEmpty() && resourceRequest.why().isEmpty())
      planVetoes.impossible(job, cluster.spec());
    else if (pools.isEmpty()) planVetoes.of(job, List.of(new JobVeto.NoOnDemandPool()));
    else if (open > 0) {
      planVetoes.of(job, closed);
      lacks(job, open, pools);
    } else keepFor(job, keptWorkerPlanner.free(job));
  }

  /** Of tasks that fail alike, only so many as keep one machine at work until one succeeds. */
  private long mayLaunch(JobDemand job, long open) {
    if (job.waiting().crashLoop().isEmpty()) return open;
    planVetoes.of(job, List.of(job.waiting().crashLoop().get()));
    return job.leased() > 0 || planVetoes.hasRoom(job) ? 0 : 1;
  }

  private void lacks(JobDemand job, long open, Set<String> pools) {
    planVetoes.lacks(job, open);
    var mine = new HashSet<>(pools);
    mine.removeIf(pool -> keptWorkerPlanner.isAsked(pool, job));
    // A job that waits for one place among many is not blocked by one before that cannot use it.
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
    var wanted = UnmetDemand.machines(pool, job, open);
    var dearer = poolChoice.why(pool, job, open).map(why -> ": " + why).orElse("");
    var reason = resourceRequest.reason(pool, open) + dearer;
    var launched = plannedLaunches.launch(pool, job, wanted, reason);
    planVetoes.of(job, launched.vetoes());
    // What waits has its place on machines that are there.
    if (launched.vetoes().stream().anyMatch(ComingVeto.DoneSooner.class::isInstance)) return open;
    if (launched.room().isEmpty()) return 0;
    planVetoes.launched(job, launched.room().get());
    var allocation = new ClusterCapacity(List.of(launched.room().get()), Map.of()).take(job, open);
    for (var room : allocation.capacity().rooms()) clusterCapacity = clusterCapacity.plus(room);
    return allocation.filled();
  }

  /** Whether tasks of different sizes lacked room on existing workers. */
  boolean packingMatters() {
    return packingMatters;
  }

  /** The jobs that lack room, by uid. */
  Set<String> starved() {
    return planVetoes.starved();
  }

  /** Whether all tasks have room that take a part of a machine each. */
  boolean isComplete() {
    return clusterSnapshot.jobs().stream()
        .noneMatch(job -> job.gang() <= 1 && starved().contains(job.job()));
  }

  /** By pool, how many machines it launches. */
  Map<String, Integer> launches() {
    return plannedLaunches.byPool();
  }

  Plan plan(Map<String, PlanDecision.Drain> ending) {
    var leftovers =
        new UnneededWorkers(clusterSnapshot, clusterCapacity, gangs.released(), starved())
            .drains(keptWorkerPlanner.kept(), ending.keySet());
    var planDecisions = new ArrayList<PlanDecision>(ending.values());
    planDecisions.addAll(leftovers);
    planDecisions.addAll(gangs.decisions());
    planDecisions.addAll(plannedLaunches.decisions(isComplete()));
    planDecisions.addAll(
        new LeasePreemptionPlanner(clusterSnapshot, leasePreemptionRules, keptWorkerPlanner)
            .yields(planVetoes.starved(), keptWorkers.keeps()));
    planDecisions.addAll(planVetoes.endRunning(clusterSnapshot, planDecisions, keptWorkers));
    planDecisions.addAll(new CordonedLeases(clusterSnapshot).goBack());
    return new Plan(
        planDecisions,
        keptWorkers.keeps(),
        gangs.gaveUp(leftovers),
        planVetoes.jobs(),
        planVetoes.pools(),
        planVetoes.found());
  }
}
