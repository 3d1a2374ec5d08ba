package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.plan.budget.HourlySpending;
import dev.mayfly.core.plan.budget.MonthlySpending;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Room;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Use;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.RefusedZones;
import dev.mayfly.core.plan.capacity.SliceLimits;
import dev.mayfly.core.plan.capacity.UnfitPools;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.pace.DoneSooner;
import dev.mayfly.core.plan.veto.Allowance;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The machines that a plan launches, and how many more it may launch. */
final class PlannedLaunches {
  private final Cluster cluster;
  private final Instant now;
  private final ZoneAvailability zoneAvailability;
  private final PoolChoice poolChoice;
  private final UnfitPools unfit;
  private final RefusedZones refusedZones;
  private final SliceLimits tpus;
  private final HourlySpending hourlySpending;
  private final MonthlySpending monthlySpending;
  private final UnmetDemand unmetDemand;
  private final DoneSooner doneSooner;
  private final Map<String, Integer> counted = new HashMap<>();
  private final Map<String, Integer> live;
  private final Map<String, Integer> joined;
  private final Map<ClusterCapacity.Site, PoolLaunch> launches = new LinkedHashMap<>();
  private final Map<String, Optional<UnfitPools.Limit>> limits = new HashMap<>();
  private final Map<String, Integer> tried = new HashMap<>();

  /** Pools in which a gang tries some machines first: it gets the others when one is fit. */
  private final Set<String> proving = new HashSet<>();

  private int left = Planner.LAUNCHES;

  PlannedLaunches(
      ClusterSnapshot clusterSnapshot,
      ZoneAvailability zoneAvailability,
      PoolChoice poolChoice,
      ClusterInventory clusterInventory,
      UnmetDemand unmetDemand,
      DoneSooner doneSooner) {
    cluster = clusterSnapshot.cluster();
    now = clusterSnapshot.now();
    this.zoneAvailability = zoneAvailability;
    this.poolChoice = poolChoice;
    unfit = new UnfitPools(clusterSnapshot, zoneAvailability);
    refusedZones = new RefusedZones(clusterSnapshot, zoneAvailability);
    tpus = new SliceLimits(clusterSnapshot);
    hourlySpending = new HourlySpending(clusterSnapshot);
    monthlySpending = new MonthlySpending(clusterSnapshot);
    this.unmetDemand = unmetDemand;
    this.doneSooner = doneSooner;
    clusterInventory
        .counted()
        .forEach((pool, n) -> counted.merge(PoolSpec.family(pool), n, Integer::sum));
    live = clusterInventory.live();
    joined = clusterInventory.joined();
  }

  private record PoolLaunch(int count, List<String> reasons, List<LaunchedFor> jobs) {
    static final PoolLaunch NONE = new PoolLaunch(0, List.of(), List.of());

    PoolLaunch plus(int more, String reason, Optional<LaunchedFor> job) {
      var all = new ArrayList<>(reasons);
      if (all.size() < 5 && !reason.isEmpty()) all.add(reason);
      var named = new ArrayList<>(jobs);
      job.ifPresent(it -> named.addAll(Collections.nCopies(more, it)));
      return new PoolLaunch(count + more, all, named);
    }

    PlanDecision.Launch at(ClusterCapacity.Site site, boolean complete) {
      var named = complete ? jobs : jobs.stream().map(LaunchedFor::inTurn).toList();
      return new PlanDecision.Launch(
          site.pool(), site.zone(), count, String.join("; ", reasons), named);
    }
  }

  /**
   * The launches.
   *
   * @param complete whether all tasks have room: then new machines may serve first the job for
   *     which they are launched, and no other has to wait for it
   */
  List<PlanDecision> decisions(boolean complete) {
    var all = launches.entrySet().stream();
    return all.<PlanDecision>map(it -> it.getValue().at(it.getKey(), complete)).toList();
  }

  /** By pool, how many machines are launched. */
  Map<String, Integer> byPool() {
    var byPool = new HashMap<String, Integer>();
    launches.forEach((site, launch) -> byPool.merge(site.pool(), launch.count(), Integer::sum));
    return byPool;
  }

  /** Workers of the pool that count towards its minimum. */
  int live(PoolSpec pool) {
    return live.getOrDefault(pool.name(), 0);
  }

  /** How many more workers the pool may have. */
  int room(PoolSpec pool) {
    return pool.max() - counted(pool);
  }

  /**
   * How many machines of the pool a gang may wait for in the zone, without the limit per plan.
   * While the pool has to prove itself, a few of them are launched first, for one gang of a plan:
   * the others follow when one is fit. A zone that refused lately is asked for one gang at a time.
   */
  int mayTogether(PoolSpec pool, String zone, int gang) {
    if (!DrainPlanner.isBought(pool) || !zoneAvailability.mayAsk(cluster, pool, zone)) return 0;
    if (cordoned(pool).isPresent() || proving.contains(pool.name())) return 0;
    if (limit(pool).filter(UnfitPools.Limit::paused).isPresent()) return 0;
    var room = Math.min(room(pool), refusedZones.may(pool, zone, gang, launched(pool, zone)));
    return monthlySpending.may(pool, hourlySpending.may(pool, Math.max(0, room)));
  }

  private int launched(PoolSpec pool, String zone) {
    var site = new ClusterCapacity.Site(pool.name(), zone);
    return launches.getOrDefault(site, PoolLaunch.NONE).count();
  }

  /** Why the zone is asked for no second gang now; empty if another reason holds. */
  Optional<Veto> oneGang(PoolSpec pool, String zone, int gang, int wanted) {
    return refusedZones.may(pool, zone, gang, launched(pool, zone)) < wanted
        ? refusedZones.why(pool, zone).map(Veto.class::cast)
        : Optional.empty();
  }

  /** Why it gets no machine while a person looks at those that it has. */
  Optional<Veto> cordoned(PoolSpec pool) {
    return cluster
        .cordon(pool.name(), now)
        .map(cordon -> new PoolVeto.Cordoned(pool.name(), cordon.until()));
  }

  Optional<UnfitPools.Limit> limit(PoolSpec pool) {
    return limits.computeIfAbsent(pool.name(), _ -> unfit.limit(pool));
  }

  /**
   * What was launched.
   *
   * @param room empty if nothing was
   * @param vetoes why not all that were wanted
   */
  record Launched(Optional<Room> room, List<Veto> vetoes) {
    Launched {
      vetoes = List.copyOf(vetoes);
    }
  }

  /** Launches machines that no job asks for; see the other {@code launch}. */
  Launched launchWarm(PoolSpec pool, int wanted, String reason) {
    return launch(pool, Placement.ANYWHERE, Optional.empty(), wanted, reason);
  }

  /** Launches up to {@code wanted} machines for the job in the best zone. */
  Launched launch(PoolSpec pool, JobDemand job, int wanted, String reason) {
    return launch(pool, job.place(), Optional.of(job), wanted, reason);
  }

  private Launched launch(
      PoolSpec pool, Placement placement, Optional<JobDemand> job, int wanted, String reason) {
    var allowance = allowance(pool, wanted, job);
    var none = Optional.<Room>empty();
    if (allowance.machines() <= 0) return new Launched(none, allowance.vetoes());
    var zone = poolChoice.zone(pool, job, z -> placement.allowsZone(z) && mayReopened(pool, z) > 0);
    // A limit that leaves room for some machines is not why there are none.
    if (zone.isEmpty()) return new Launched(none, refused(pool, placement));
    var sooner = job.flatMap(it -> doneSooner.why(pool, it));
    if (sooner.isPresent()) return new Launched(none, List.of(sooner.get()));
    var n = Math.min(allowance.machines(), mayReopened(pool, zone.get()));
    var room = launch(pool, zone.get(), n, reason, job.map(it -> it.launchedFor(true)));
    return new Launched(Optional.of(room), allowance.vetoes());
  }

  private int mayReopened(PoolSpec pool, String zone) {
    return refusedZones.mayReopened(pool, zone, launched(pool, zone));
  }

  /** Why no zone is asked: it refused, or did so before its first machine since is ready. */
  private List<Veto> refused(PoolSpec pool, Placement placement) {
    var vetoes = new ArrayList<>(zoneAvailability.vetoes(cluster, pool, placement));
    for (var zone : pool.zones())
      if (placement.allowsZone(zone) && zoneAvailability.mayAsk(cluster, pool, zone))
        refusedZones.why(pool, zone).ifPresent(vetoes::add);
    return vetoes;
  }

  /** Launches for the job in the given zone, without checking that it may be asked. */
  Allowance launchIn(PoolSpec pool, String zone, JobDemand job, int wanted) {
    var loop = job.waiting().crashLoop().filter(_ -> job.leased() > 0);
    if (loop.isPresent()) return new Allowance(0, List.of(loop.get()));
    var allowance = allowance(pool, wanted, Optional.of(job));
    var n = Math.max(0, allowance.machines());
    if (n < wanted && limit(pool).isPresent()) proving.add(pool.name());
    if (n > 0) launch(pool, zone, n, "", Optional.of(job.launchedFor(false)));
    return new Allowance(n, allowance.vetoes());
  }

  /** Records what the machines launched there are for. */
  void because(PoolSpec pool, String zone, String reason) {
    launches.computeIfPresent(
        new ClusterCapacity.Site(pool.name(), zone), (_, w) -> w.plus(0, reason, Optional.empty()));
  }

  /** Counts what was wanted and not allowed: others get a machine after these. */
  private Allowance allowance(PoolSpec pool, int wanted, Optional<JobDemand> job) {
    var allowance = allowed(pool, wanted, job);
    unmetDemand.add(pool, wanted - Math.max(0, allowance.machines()));
    return allowance;
  }

  private Veto atMaximum(PoolSpec pool, Optional<JobDemand> job) {
    var before = unmetDemand.before(cluster.spec().first(pool.family()), job);
    var enough = Math.max(pool.max(), counted(pool)) + before + 1;
    return new PoolVeto.AtMaximum(pool.family(), pool.max(), counted(pool), enough);
  }

  /** Why no machine of the pool is launched for so many tasks. */
  Veto ownMachines(PoolSpec pool, JobDemand job, long tasks) {
    var has = joined.getOrDefault(pool.name(), 0);
    var enough = has + unmetDemand.before(pool, Optional.of(job)) + 1;
    unmetDemand.add(pool, UnmetDemand.machines(pool, job, tasks));
    return new PoolVeto.OwnMachines(pool.name(), has, pool.max(), enough);
  }

  /** Why the pool has too few workers for a gang of which so many are there. */
  Veto gangAtMaximum(PoolSpec pool, JobDemand job, int has) {
    var gang = job.gang();
    var there = joined.getOrDefault(pool.name(), 0);
    if (pool.provisioning() == Provisioning.STATIC)
      return new PoolVeto.GangOfOwn(pool.name(), gang, has, there, pool.max());
    if (pool.manual()) return new PoolVeto.GangOfSlice(pool.name(), gang, has);
    var enough =
        counted(pool)
            + unmetDemand.before(cluster.spec().first(pool.family()), Optional.of(job))
            + gang
            - has;
    return new PoolVeto.GangAtMaximum(pool.family(), pool.max(), gang, has, enough);
  }

  private Allowance allowed(PoolSpec pool, int wanted, Optional<JobDemand> job) {
    var cordoned = cordoned(pool);
    if (cordoned.isPresent()) return Allowance.all(wanted).atMost(0, cordoned.get());
    // A manual slice is limited by chips; its draining workers still hold theirs.
    var room = pool.manual() ? wanted : room(pool);
    var allowance =
        Allowance.all(wanted)
            .atMost(room, atMaximum(pool, job))
            .atMost(left, new PoolVeto.PlanFull(pool.name(), Planner.LAUNCHES));
    if (allowance.machines() <= 0) return allowance;
    var limit = limit(pool);
    var tries = tried.getOrDefault(pool.name(), 0);
    if (limit.isPresent())
      allowance = allowance.atMost(limit.get().most() - tries, limit.get().why());
    if (allowance.machines() <= 0) return allowance;
    allowance =
        allowance.then(hourlySpending.allowance(pool, allowance.machines(), costBefore(job)));
    var before = costBefore(job, monthlySpending::price);
    allowance = allowance.then(monthlySpending.allowance(pool, allowance.machines(), before));
    return allowance.then(tpus.may(pool, allowance.machines()));
  }

  /** Types among which a pool chooses have one maximum. */
  private int counted(PoolSpec pool) {
    return counted.getOrDefault(pool.family(), 0);
  }

  /** Why the budget does not allow {@code wanted} more machines; empty if it does. */
  Optional<Veto> overBudget(PoolSpec pool, JobDemand job, int wanted) {
    if (hourlySpending.may(pool, wanted) < wanted)
      return hourlySpending.veto(pool, 0, wanted, costBefore(Optional.of(job)));
    return monthlySpending.may(pool, wanted) < wanted
        ? monthlySpending.veto(
            pool, 0, wanted, costBefore(Optional.of(job), monthlySpending::price))
        : Optional.empty();
  }

  /** What the machines cost that others get before the job gets one more. */
  private double costBefore(Optional<JobDemand> job) {
    return costBefore(job, hourlySpending::price);
  }

  private double costBefore(Optional<JobDemand> job, ToDoubleFunction<PoolSpec> price) {
    return cluster.spec().pools().stream()
        .mapToDouble(p -> price.applyAsDouble(p) * unmetDemand.before(p, job))
        .sum();
  }

  private Room launch(PoolSpec pool, String zone, int n, String reason, Optional<LaunchedFor> job) {
    counted.merge(pool.family(), n, Integer::sum);
    tried.merge(pool.name(), n, Integer::sum);
    left -= n;
    tpus.take(pool, n);
    hourlySpending.take(pool, n);
    monthlySpending.take(pool, n);
    var site = new ClusterCapacity.Site(pool.name(), zone);
    launches.put(site, launches.getOrDefault(site, PoolLaunch.NONE).plus(n, reason, job));
    var at = new ClusterCapacity.At(pool.name(), zone, "", pool.labels(), "");
    var slice = !TpuTypes.isOneHost(pool.machineType());
    return new Room(at, FreeResources.of(pool.visible()), Use.IN_FLIGHT, n, slice);
  }
}
