package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A plan of stored state, made to say why tasks wait. It is the plan that the next reconcile makes,
 * as far as nothing changes until then.
 */
public final class WaitingPlan {
  private final ClusterSnapshot clusterSnapshot;
  private final Plan plan;
  private final PoolWorkers workers;
  private final GangMachines gangs;
  private final QueuePlace queue;
  private final ZoneAvailability zoneAvailability;

  public WaitingPlan(ClusterSnapshot clusterSnapshot, WaitingFacts facts) {
    this(clusterSnapshot, Planner.planWithReasons(clusterSnapshot), facts);
  }

  /**
   * @param plan of the snapshot, with reasons
   */
  public WaitingPlan(ClusterSnapshot clusterSnapshot, Plan plan, WaitingFacts facts) {
    this.clusterSnapshot = clusterSnapshot;
    this.plan = plan;
    workers = new PoolWorkers(clusterSnapshot, facts);
    gangs = new GangMachines(clusterSnapshot, plan, workers.names());
    queue = new QueuePlace(clusterSnapshot, plan);
    zoneAvailability = new ZoneAvailability(clusterSnapshot.stockouts(), clusterSnapshot.now());
  }

  /** What is decided. */
  public Plan plan() {
    return plan;
  }

  /** Why ready tasks of the job wait, the root first; empty if it is not in the snapshot. */
  public List<Veto> of(String uid) {
    var job = clusterSnapshot.jobs().stream().filter(j -> j.job().equals(uid)).findFirst();
    return job.map(this::of).map(VetoOrder::sorted).orElse(List.of());
  }

  private List<Veto> of(JobDemand job) {
    var cluster = clusterSnapshot.cluster();
    if (cluster.phase() != Cluster.Phase.UP)
      return List.of(new ClusterVeto.GoingDown(cluster.spec().name()));
    var unknown = unknown(job);
    if (!unknown.isEmpty() && unknown.size() == job.place().workers().size()) return unknown;
    var limit = plan.ofJob(job.job()).stream().filter(LimitVeto.class::isInstance).toList();
    // What the plan says besides is of tasks that are leased and do not run yet.
    if (!limit.isEmpty()) return limit;
    var vetoes = new LinkedHashSet<Veto>(unknown);
    vetoes.addAll(plan.ofJob(job.job()));
    vetoes.addAll(coming(job, vetoes));
    if (lacksRoom(vetoes)) {
      var pools = usable(job);
      for (var pool : pools) vetoes.addAll(plan.ofPool(pool.name()));
      vetoes.addAll(workers.unfit(job, pools));
      vetoes.addAll(job.gang() > 1 ? gangs.busy(job, pools) : workers.full(job, pools));
      vetoes.addAll(queue.of(job));
    }
    vetoes.addAll(past(job, vetoes));
    return List.copyOf(vetoes);
  }

  /**
   * What zones refused lately, also where they may be asked again. That a zone is not asked is no
   * reason where none is: the pool has its most machines.
   */
  private List<Veto> past(JobDemand job, Set<Veto> vetoes) {
    var past = new ArrayList<Veto>();
    if (job.place().allowsLaunches())
      for (var pool : usable(job))
        for (var zone : pool.zones())
          if (job.place().allowsZone(zone))
            for (var veto : zoneAvailability.recent(clusterSnapshot.cluster(), pool, zone))
              past.add(isFull(pool, vetoes) ? veto.over() : veto);
    return past;
  }

  private static boolean isFull(PoolSpec pool, Set<Veto> vetoes) {
    return vetoes.stream()
        .anyMatch(veto ->
            switch (veto) {
              case PoolVeto.AtMaximum it -> it.pool().equals(pool.family());
              case PoolVeto.GangAtMaximum it -> it.pool().equals(pool.family());
              default -> false;
            });
  }

  /** The workers that it names and that do not exist. */
  private List<Veto> unknown(JobDemand job) {
    return job.place().workers().stream()
        .filter(name -> !workers.has(name))
        .<Veto>map(JobVeto.UnknownWorker::new)
        .toList();
  }

  /** Whether not all tasks have their place. */
  private static boolean lacksRoom(Set<Veto> vetoes) {
    return !vetoes.stream().allMatch(ComingVeto.class::isInstance);
  }

  private Collection<Veto> coming(JobDemand job, Set<Veto> vetoes) {
    var coming = new LinkedHashSet<Veto>();
    for (var found : plan.foundBy(job.job()))
      switch (found.where()) {
        case READY -> coming.addAll(taken(job, found));
        case IN_FLIGHT -> coming.addAll(onItsWay(found));
        case LAUNCHED ->
            coming.add(new ComingVeto.Ordering(found.pool(), found.zone(), found.machines()));
      }
    for (var veto : vetoes)
      if (veto instanceof JobVeto.Gathering gathering && gathering.coming() > 0)
        coming.addAll(workers.inFlight(gathering.pool()));
    gang(job).ifPresent(gang -> coming.add(new ComingVeto.GangForms(gang.workers())));
    return coming;
  }

  /** Of a machine on its way or ordered now, another job may have taken a part before. */
  private List<Veto> taken(JobDemand job, Plan.Found found) {
    var ready = workers.ready(job, found);
    return ready.isEmpty() ? onItsWay(found) : ready;
  }

  /** Machines that are being created, or that this plan orders, for a minimum too. */
  private List<Veto> onItsWay(Plan.Found found) {
    var inFlight = workers.inFlight(found.pool());
    if (!inFlight.isEmpty()) return inFlight;
    return plan.decisions().stream()
        .filter(PlanDecision.Launch.class::isInstance)
        .map(PlanDecision.Launch.class::cast)
        .filter(l -> l.pool().equals(found.pool()) && l.zone().equals(found.zone()))
        .<Veto>map(l -> new ComingVeto.Ordering(l.pool(), l.zone(), l.count()))
        .toList();
  }

  private Optional<PlanDecision.FormGang> gang(JobDemand job) {
    return plan.decisions().stream()
        .filter(PlanDecision.FormGang.class::isInstance)
        .map(PlanDecision.FormGang.class::cast)
        .filter(gang -> gang.job().equals(job.job()))
        .findFirst();
  }

  /** The pools whose workers could run a task of the job. */
  private List<PoolSpec> usable(JobDemand job) {
    return clusterSnapshot.cluster().spec().pools().stream()
        .filter(pool -> Feasibility.why(job.need(), job.place(), pool).isEmpty())
        .toList();
  }

  /** The jobs before it in the queue that wait for workers which it could use. */
  public List<String> ahead(String uid) {
    return of(uid).stream()
        .filter(JobVeto.Ahead.class::isInstance)
        .flatMap(ahead -> ((JobVeto.Ahead) ahead).jobs().stream())
        .toList();
  }

  /** The jobs for which nothing can be launched. */
  public List<HeldJobs> held() {
    return HeldJobs.of(clusterSnapshot.jobs(), this);
  }

  /** The causes of cluster, pools and cloud that hold any job or any pool's minimum. */
  public List<Veto> causes() {
    var causes = new LinkedHashSet<Veto>();
    clusterSnapshot.jobs().forEach(job -> causes.addAll(plan.ofJob(job.job())));
    clusterSnapshot
        .cluster()
        .spec()
        .pools()
        .forEach(pool -> causes.addAll(plan.ofPool(pool.name())));
    return VetoOrder.sorted(causes.stream().filter(VetoOrder::isCause).toList());
  }
}
