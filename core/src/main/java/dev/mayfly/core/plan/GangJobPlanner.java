package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Site;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.UnfitPools;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans the gangs of one job, one after the other. */
final class GangJobPlanner {
  /** The most workers that a job's gangs wait for at once while other work ends. */
  private static final int MOST_CLEARED = 64;

  /**
   * A way to get a task's workers in one zone.
   *
   * @param may how many more may be launched there
   * @param busy workers that run other work and may be waited for
   */
  private record Way(
      Site site,
      GangCandidates.Picked idle,
      GangCandidates.Picked coming,
      int may,
      List<Worker> busy) {
    int has() {
      return idle.size() + coming.size();
    }

    /** Lower is better; 4 means impossible. */
    int rank(int gang) {
      if (idle.size() >= gang) return 0;
      if (has() >= gang) return 1;
      if (has() + may >= gang) return 2;
      return has() + may + busy.size() >= gang ? 3 : 4;
    }
  }

  private final GangPlanner gangPlanner;
  private final ClusterSnapshot clusterSnapshot;
  private final PlannedLaunches plannedLaunches;
  private final ZoneAvailability zoneAvailability;
  private final JobDemand job;
  private final List<Site> sites;
  private final List<PoolSpec> pools;
  private final List<Worker> waiting = new ArrayList<>();
  private final List<Worker> cleared = new ArrayList<>();
  private final Map<Site, Integer> launched = new LinkedHashMap<>();
  private final Map<Site, Integer> tasks = new LinkedHashMap<>();
  private final List<Veto> vetoes = new ArrayList<>();
  private ClusterCapacity clusterCapacity;

  GangJobPlanner(
      GangPlanner gangPlanner, JobDemand job, List<Site> sites, ClusterCapacity clusterCapacity) {
    this.gangPlanner = gangPlanner;
    clusterSnapshot = gangPlanner.clusterSnapshot;
    plannedLaunches = gangPlanner.plannedLaunches;
    zoneAvailability = gangPlanner.zoneAvailability;
    this.job = job;
    this.sites = sites;
    pools =
        gangPlanner.poolChoice.inOrder(clusterSnapshot.cluster().spec().pools(), job, job.ready());
    this.clusterCapacity = clusterCapacity;
  }

  /** Plans the next task; whether it has its workers, or waits for workers that will come. */
  boolean next() {
    var ways = sites.stream().map(this::way).toList();
    var best =
        ways.stream()
            .min(
                Comparator.comparingInt((Way w) -> w.rank(job.gang()))
                    .thenComparing(Way::has, Comparator.reverseOrder())
                    .thenComparing(w -> pools.indexOf(gangPlanner.pool(w.site)))
                    .thenComparing(w ->
                        zoneAvailability.score(
                            clusterSnapshot.cluster(), gangPlanner.pool(w.site), w.site.zone())))
            .orElseThrow();
    var rank = best.rank(job.gang());
    if (rank == 0) gather(best);
    else if (rank < 4) await(best);
    else ways.forEach(this::veto);
    return rank < 4;
  }

  private Way way(Site site) {
    var gang = job.gang();
    var idle = gangPlanner.gangCandidates.idle(job, site, clusterCapacity);
    var coming = gangPlanner.gangCandidates.coming(job, site, gang - idle.size(), idle.left());
    var pool = gangPlanner.pool(site);
    var may =
        job.place().allowsLaunches() ? plannedLaunches.mayTogether(pool, site.zone(), gang) : 0;
    if (zoneAvailability.gangsAllowedFrom(pool, site.zone(), gang).isPresent()) may = 0;
    var lacks = gang - idle.size() - coming.size() - may;
    return new Way(site, idle, coming, may, lacks <= 0 ? List.of() : busy(site));
  }

  /**
   * Waiting for other work to end keeps workers from all other jobs. Among equals, it is therefore
   * done for one task at a time, and never before an earlier job in the queue.
   */
  private List<Worker> busy(Site site) {
    if (cleared.size() >= MOST_CLEARED || gangPlanner.keptWorkerPlanner.isAsked(site.pool(), job))
      return List.of();
    return gangPlanner.gangCandidates.busy(job, site, gangPlanner.keptWorkerPlanner).stream()
        .filter(w -> cleared.isEmpty() || gangPlanner.keptWorkerPlanner.isAboveAll(job, w))
        .toList();
  }

  private void gather(Way way) {
    gangPlanner.gather(job, way.idle.workers());
    clusterCapacity = way.idle.left();
  }

  /** Claims the workers that the task waits with. */
  private void await(Way way) {
    waiting.addAll(way.idle.workers());
    waiting.addAll(way.coming.workers());
    gangPlanner.claim(waiting);
    clusterCapacity = way.coming.left();
    tasks.merge(way.site, 1, Integer::sum);
    var wanted = Math.min(way.may, job.gang() - way.has());
    if (wanted > 0) {
      var allowance =
          plannedLaunches.launchIn(gangPlanner.pool(way.site), way.site.zone(), job, wanted);
      vetoes.addAll(allowance.vetoes());
      if (allowance.machines() > 0) launched.merge(way.site, allowance.machines(), Integer::sum);
    }
    var rest = job.gang() - way.has() - Math.max(0, wanted);
    way.busy.stream().limit(Math.max(0, rest)).forEach(cleared::add);
    cleared.forEach(gangPlanner.keptWorkerPlanner::keep);
  }

  /** Why a task cannot have its workers there. */
  private void veto(Way way) {
    var pool = gangPlanner.pool(way.site);
    var lacks = job.gang() - way.has();
    if (!job.place().allowsLaunches()) vetoes.add(new JobVeto.Pinned(job.place().workers()));
    else if (!DrainPlanner.isBought(pool))
      vetoes.add(plannedLaunches.gangAtMaximum(pool, job, way.has()));
    else vetoOfBought(way, pool, lacks);
  }

  private void vetoOfBought(Way way, PoolSpec pool, int lacks) {
    var zone = way.site.zone();
    var pausedUntil = zoneAvailability.gangsAllowedFrom(pool, zone, job.gang());
    var refused = zoneAvailability.veto(clusterSnapshot.cluster(), pool, zone);
    var cordoned = plannedLaunches.cordoned(pool);
    if (cordoned.isPresent()) vetoes.add(cordoned.get());
    else if (refused.isPresent()) vetoes.add(refused.get());
    else if (pausedUntil.isPresent())
      vetoes.add(new ZoneVeto.GangIncomplete(pool.name(), zone, job.gang(), pausedUntil.get()));
    else if (plannedLaunches.room(pool) < lacks)
      vetoes.add(plannedLaunches.gangAtMaximum(pool, job, way.has()));
    else
      plannedLaunches
          .oneGang(pool, zone, job.gang(), lacks)
          .or(() -> plannedLaunches.overBudget(pool, job, lacks))
          .or(() -> plannedLaunches.limit(pool).map(UnfitPools.Limit::why))
          .ifPresent(vetoes::add);
  }

  /**
   * The remaining capacity.
   *
   * @param open tasks that get no workers
   */
  ClusterCapacity end(long open) {
    launched.forEach((site, _) ->
        plannedLaunches.because(
            gangPlanner.pool(site),
            site.zone(),
            (tasks.getOrDefault(site, 0) == 1
                    ? "%d task of job %s takes %d workers"
                    : "%d tasks of job %s take %d workers each")
                .formatted(tasks.getOrDefault(site, 0), job.name(), job.gang())));
    keep();
    // If all tasks wait for machines, the vetoes say why some of these are not launched yet.
    gangPlanner.planVetoes.of(job, vetoes);
    if (open <= 0 && cleared.isEmpty()) return clusterCapacity;
    var pools = sites.stream().map(Site::pool).distinct().toList();
    // Those that wait for other work to end, too, get new machines once there may be some.
    var tasks = open + (cleared.isEmpty() ? 0 : 1);
    pools.forEach(pool -> gangPlanner.lacks(gangPlanner.pool(pool), job, tasks));
    gangPlanner.planVetoes.lacks(job);
    gangPlanner.keptWorkerPlanner.waits(job, pools);
    if (open > 0) gangPlanner.giveUp(job);
    return clusterCapacity;
  }

  private void keep() {
    if (waiting.isEmpty() && cleared.isEmpty() && launched.isEmpty()) return;
    var all = new ArrayList<>(waiting);
    all.addAll(cleared);
    var comes = !launched.isEmpty() || waiting.stream().anyMatch(GangCandidates::isComing);
    var until = comes ? Optional.<Instant>empty() : gangPlanner.keptWorkerPlanner.until(all, job);
    var more =
        launched.entrySet().stream()
            .map(e -> new Plan.Launched(e.getKey().pool(), e.getKey().zone(), e.getValue()))
            .toList();
    gangPlanner.keptWorkers.keep(job, all, more, until);
    clusterCapacity = clusterCapacity.keeping(gangPlanner.keptWorkers.keepers());
    for (var site : tasks.keySet()) gangPlanner.planVetoes.of(job, List.of(gathering(site)));
  }

  private Veto gathering(Site site) {
    var there = waiting.stream().filter(w -> isAt(w, site)).toList();
    var ready = there.stream().filter(w -> !GangCandidates.isComing(w)).count();
    return new JobVeto.Gathering(
        site.pool(),
        site.zone(),
        (long) job.gang() * tasks.getOrDefault(site, 0),
        ready,
        there.size() - ready + launched.getOrDefault(site, 0),
        cleared.stream().filter(w -> isAt(w, site)).count());
  }

  private static boolean isAt(Worker worker, Site site) {
    return worker.pool().equals(site.pool()) && worker.zone().equals(site.zone());
  }
}
