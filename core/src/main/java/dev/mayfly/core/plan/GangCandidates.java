package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Site;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.KeptWorkerPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Workers for gangs: several in one zone of one pool, ready or in flight. A worker that runs a part
 * of a gang runs nothing else.
 */
final class GangCandidates {
  private final ClusterSnapshot clusterSnapshot;
  private final Set<String> named;
  private final Map<Site, List<Worker>> idle = new LinkedHashMap<>();
  private final Map<Site, List<Worker>> coming = new LinkedHashMap<>();
  private final Map<Site, List<Worker>> busy = new LinkedHashMap<>();
  private final Set<String> claimed = new HashSet<>();

  /**
   * @param ending workers that are about to end
   */
  GangCandidates(ClusterSnapshot clusterSnapshot, Set<String> ending) {
    this.clusterSnapshot = clusterSnapshot;
    named = ClusterInventory.named(clusterSnapshot);
    for (var worker : clusterSnapshot.workers())
      if (worker.state().live()
          && !ending.contains(worker.name())
          && ClusterInventory.takesWork(clusterSnapshot, worker)
          && TpuTypes.isOneHost(worker.machineType()))
        of(worker).computeIfAbsent(site(worker), _ -> new ArrayList<>()).add(worker);
    // The youngest workers have the most time left.
    for (var bySite : List.of(idle, coming))
      bySite.values().forEach(w -> w.sort(Comparator.comparing(Worker::createdAt).reversed()));
  }

  private Map<Site, List<Worker>> of(Worker worker) {
    if (!DrainPlanner.isIdle(worker)) return busy;
    return isComing(worker) ? coming : idle;
  }

  /** Whether it takes no task yet: a gang that is formed with it begins nothing. */
  static boolean isComing(Worker worker) {
    return !DrainPlanner.isReady(worker)
        || worker.unfit().isPresent()
        || worker.has(MachineProblem.Kind.PREPARING);
  }

  static Site site(Worker worker) {
    return new Site(worker.pool(), worker.zone());
  }

  /** The zones of pools that the spec allows to hold a gang of the job. */
  List<Site> sites(JobDemand job, List<PoolSpec> pools) {
    var sites = new ArrayList<Site>();
    for (var pool : pools) {
      if (Feasibility.why(job.need(), job.place(), pool).isPresent()
          || pool.max() < job.gang()
          || !TpuTypes.isOneHost(pool.machineType())) continue;
      for (var zone : pool.zones())
        if (job.place().allowsZone(zone)) sites.add(new Site(pool.name(), zone));
    }
    return sites;
  }

  /**
   * The chosen workers.
   *
   * @param left the capacity without them
   */
  record Picked(List<Worker> workers, ClusterCapacity left) {
    int size() {
      return workers.size();
    }
  }

  /** Idle workers for a gang of the job; at most the gang's size. */
  Picked idle(JobDemand job, Site site, ClusterCapacity left) {
    return pick(idle.getOrDefault(site, List.of()), job.gang(), job, left);
  }

  /** Workers in flight; at most {@code most}. */
  Picked coming(JobDemand job, Site site, int most, ClusterCapacity left) {
    return pick(coming.getOrDefault(site, List.of()), most, job, left);
  }

  /** Skips workers that earlier jobs have claimed or that are kept for another job. */
  private Picked pick(List<Worker> from, int most, JobDemand job, ClusterCapacity left) {
    var picked = new ArrayList<Worker>();
    var rest = left;
    for (var worker : kept(job, from)) {
      if (picked.size() >= most) break;
      if (claimed.contains(worker.name()) || !suits(worker, job)) continue;
      var inFlight = !DrainPlanner.isReady(worker);
      var without = rest.without(job, ClusterInventory.at(worker, named), inFlight);
      if (without.isEmpty()) continue;
      picked.add(worker);
      rest = without.get();
    }
    return new Picked(picked, rest);
  }

  private static List<Worker> kept(JobDemand job, List<Worker> from) {
    var kept = new HashSet<>(job.waiting().kept());
    if (kept.isEmpty()) return from;
    return from.stream().sorted(Comparator.comparing(w -> !kept.contains(w.name()))).toList();
  }

  private boolean suits(Worker worker, JobDemand job) {
    if (!worker.mayRun(job.place())) return false;
    if (worker.state() instanceof WorkerState.Ready) return worker.total().fits(job.need());
    return clusterSnapshot
        .cluster()
        .spec()
        .pool(worker.pool())
        .filter(pool -> pool.visible().fits(job.need()))
        .isPresent();
  }

  /** Workers that run other work, the least of it first. */
  List<Worker> busy(JobDemand job, Site site, KeptWorkerPlanner keptWorkerPlanner) {
    return busy.getOrDefault(site, List.of()).stream()
        .filter(w -> keptWorkerPlanner.suits(w, job))
        .sorted(KeptWorkerPlanner.byEffort(job))
        .toList();
  }

  /** Claims the workers for one gang. */
  void claim(List<Worker> workers) {
    workers.forEach(w -> claimed.add(w.name()));
  }

  /** Idle workers and workers in flight that the job could use and no gang has claimed. */
  List<Worker> unclaimed(JobDemand job) {
    var unclaimed = new ArrayList<Worker>();
    for (var each : List.of(idle, coming))
      for (var workers : each.values())
        for (var worker : workers)
          if (!claimed.contains(worker.name()) && suits(worker, job)) unclaimed.add(worker);
    return unclaimed;
  }
}
