package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Site;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.KeptWorkerPlanner;
import dev.mayfly.core.plan.capacity.KeptWorkers;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.text.HumanDuration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The gang part of a plan: each task takes several whole workers in one zone of one pool at the
 * same time.
 *
 * <p><b>Goals</b>, first to last: ready workers; workers in flight in any zone; the zone with the
 * most workers where the rest may be launched; zones where the rest runs other work. If none of
 * these works, nothing waits: the workers are free for others, and a zone that lacked part of a
 * gang is asked for a whole one with growing pauses.
 */
final class GangPlanner {
  final ClusterSnapshot clusterSnapshot;
  final GangCandidates gangCandidates;
  final PlannedLaunches plannedLaunches;
  final ZoneAvailability zoneAvailability;
  final PoolChoice poolChoice;
  final KeptWorkerPlanner keptWorkerPlanner;
  final KeptWorkers keptWorkers;
  final PlanVetoes planVetoes;
  private final UnmetDemand unmetDemand;
  private final List<PlanDecision> planDecisions = new ArrayList<>();
  private final Map<String, String> released = new HashMap<>();
  private final Map<String, Plan.AbandonedGang> lacking = new HashMap<>();

  GangPlanner(
      ClusterSnapshot clusterSnapshot,
      GangCandidates gangCandidates,
      PlannedLaunches plannedLaunches,
      ZoneAvailability zoneAvailability,
      PoolChoice poolChoice,
      KeptWorkerPlanner keptWorkerPlanner,
      KeptWorkers keptWorkers,
      PlanVetoes planVetoes,
      UnmetDemand unmetDemand) {
    this.clusterSnapshot = clusterSnapshot;
    this.gangCandidates = gangCandidates;
    this.plannedLaunches = plannedLaunches;
    this.zoneAvailability = zoneAvailability;
    this.poolChoice = poolChoice;
    this.keptWorkerPlanner = keptWorkerPlanner;
    this.keptWorkers = keptWorkers;
    this.planVetoes = planVetoes;
    this.unmetDemand = unmetDemand;
  }

  /** Finds workers for the job's ready tasks; returns the remaining capacity. */
  ClusterCapacity serve(JobDemand job, ClusterCapacity clusterCapacity) {
    var spec = clusterSnapshot.cluster().spec();
    var sites = gangCandidates.sites(job, spec.pools());
    if (sites.isEmpty()) {
      planVetoes.impossible(job, spec);
      // Once a pool may have more workers, the job comes before later ones.
      spec.pools().stream()
          .filter(p -> Feasibility.why(job.need(), job.place(), p).isEmpty())
          .forEach(p -> lacks(p, job, job.ready()));
      return clusterCapacity;
    }
    var gangJobPlanner = new GangJobPlanner(this, job, sites, clusterCapacity);
    var open = job.ready();
    while (open > 0 && gangJobPlanner.next()) open--;
    return gangJobPlanner.end(open);
  }

  void gather(JobDemand job, List<Worker> workers) {
    var names = workers.stream().map(Worker::name).toList();
    planDecisions.add(new PlanDecision.FormGang(job.job(), names));
    keptWorkerPlanner.served(job);
    claim(workers);
  }

  /** Claims the workers for one gang. */
  void claim(List<Worker> workers) {
    gangCandidates.claim(workers);
    workers.forEach(keptWorkerPlanner::keep);
  }

  /**
   * Releases or drains workers that waited for the rest of a gang, because that rest is
   * unavailable.
   */
  void giveUp(JobDemand job) {
    for (var worker : gangCandidates.unclaimed(job)) {
      var was = job.waiting().kept().contains(worker.name());
      if (!was && !DrainPlanner.isSpare(clusterSnapshot, worker)) continue;
      var pool = pool(GangCandidates.site(worker));
      released.putIfAbsent(
          worker.name(),
          was
              ? "the rest of a gang of %d is not available now".formatted(job.gang())
              : "waited %s for the rest of a gang of %d, which is not available now"
                  .formatted(HumanDuration.format(pool.idleAfter()), job.gang()));
      if (was && !zoneAvailability.mayAsk(clusterSnapshot.cluster(), pool, worker.zone()))
        lacking.put(
            worker.name(), new Plan.AbandonedGang(worker.pool(), worker.zone(), job.gang()));
    }
  }

  /** The decisions to form complete gangs. */
  List<PlanDecision> decisions() {
    return planDecisions;
  }

  /** By worker, why it need not wait any longer: the rest of its gang is unavailable. */
  Map<String, String> released() {
    return released;
  }

  /** The zones of released workers that no other job took. */
  List<Plan.AbandonedGang> gaveUp(List<PlanDecision.Drain> drains) {
    return drains.stream()
        .flatMap(d -> Optional.ofNullable(lacking.get(d.worker())).stream())
        .distinct()
        .toList();
  }

  /** So many tasks of the job get no machines of the pool now. */
  void lacks(PoolSpec pool, JobDemand job, long tasks) {
    unmetDemand.add(pool, UnmetDemand.machines(pool, job, tasks));
  }

  PoolSpec pool(Site site) {
    return pool(site.pool());
  }

  PoolSpec pool(String name) {
    return clusterSnapshot.cluster().spec().pool(name).orElseThrow();
  }
}
