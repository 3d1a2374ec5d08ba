package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Room;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Use;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What a cluster has before anything is decided.
 *
 * @param capacity whole workers, like ones in one row, without those that are about to end or can
 *     run no task, and without cordoned ones
 * @param counted workers of each pool that count towards its maximum
 * @param live workers of each pool that count towards its minimum: not cordoned
 * @param joined live workers of each pool, cordoned ones too
 * @param placed tasks of each job known to run; their room is not in {@code capacity}
 */
public record ClusterInventory(
    ClusterCapacity capacity,
    Map<String, Integer> counted,
    Map<String, Integer> live,
    Map<String, Integer> joined,
    Map<String, Long> placed) {
  /** For this long after its first sync, a machine may still get what it lacks. */
  private static final Duration MAX_REPAIR_TIME = Duration.ofMinutes(2);

  public static ClusterInventory of(
      ClusterSnapshot clusterSnapshot, Map<String, PlanDecision.Drain> ending) {
    var counted = new HashMap<>(clusterSnapshot.unknown());
    var live = new HashMap<>(clusterSnapshot.unknown());
    var joined = new HashMap<>(clusterSnapshot.unknown());
    var placed = new HashMap<String, Long>();
    var rooms = new LinkedHashMap<Room, Long>();
    var named = named(clusterSnapshot);
    for (var worker : clusterSnapshot.workers()) {
      var state = worker.state();
      if (state.live() || state instanceof WorkerState.Draining)
        counted.merge(worker.pool(), 1, Integer::sum);
      if (state.live()) joined.merge(worker.pool(), 1, Integer::sum);
      if (!state.live() || ending.containsKey(worker.name())) continue;
      if (Cordons.of(worker, clusterSnapshot.now()).isEmpty())
        live.merge(worker.pool(), 1, Integer::sum);
      if (takesWork(clusterSnapshot, worker))
        rooms.merge(room(clusterSnapshot, worker, named), 1L, Long::sum);
      HeldRuns.byJob(worker).forEach((job, tasks) -> placed.merge(job, tasks, Long::sum));
    }
    return new ClusterInventory(
        new ClusterCapacity(rows(rooms), keepers(clusterSnapshot)), counted, live, joined, placed);
  }

  /** Whether it is capacity: neither unfit nor cordoned. */
  public static boolean takesWork(ClusterSnapshot clusterSnapshot, Worker worker) {
    return !isUnfit(clusterSnapshot, worker) && !isCordoned(clusterSnapshot, worker);
  }

  /** Whether nothing new starts there, because a person looks at it. */
  public static boolean isCordoned(ClusterSnapshot clusterSnapshot, Worker worker) {
    return Cordons.of(worker, clusterSnapshot.now()).isPresent();
  }

  /** Whether it can run no task, and will not recover by itself. */
  public static boolean isUnfit(ClusterSnapshot clusterSnapshot, Worker worker) {
    return isUnfit(worker, clusterSnapshot.now());
  }

  /** The same at a time. */
  public static boolean isUnfit(Worker worker, Instant now) {
    return worker.unfit().isPresent()
        && worker.state() instanceof WorkerState.Ready ready
        && !ready.since().plus(MAX_REPAIR_TIME).isAfter(now);
  }

  /** Workers that some job names. */
  static Set<String> pinned(ClusterSnapshot clusterSnapshot) {
    var pinned = new HashSet<String>();
    for (var job : clusterSnapshot.jobs()) pinned.addAll(job.place().workers());
    return pinned;
  }

  /** Workers that some job names, or that are kept for one. */
  public static Set<String> named(ClusterSnapshot clusterSnapshot) {
    var named = pinned(clusterSnapshot);
    for (var job : clusterSnapshot.jobs()) named.addAll(job.waiting().kept());
    named.addAll(cleared(clusterSnapshot).keySet());
    return named;
  }

  private static Map<String, JobDemand> keepers(ClusterSnapshot clusterSnapshot) {
    var keepers = new HashMap<String, JobDemand>();
    for (var job : clusterSnapshot.jobs())
      for (var worker : job.waiting().kept()) keepers.putIfAbsent(worker, job);
    cleared(clusterSnapshot).forEach(keepers::putIfAbsent);
    return keepers;
  }

  /** By worker, the job for which running tasks end there: their room is kept for it. */
  private static Map<String, JobDemand> cleared(ClusterSnapshot clusterSnapshot) {
    var cleared = new HashMap<String, JobDemand>();
    for (var worker : clusterSnapshot.workers())
      for (var held : worker.held())
        for (var it : OutrankedTasks.pending(held, clusterSnapshot.now()))
          clusterSnapshot.jobs().stream()
              .filter(job -> job.job().equals(it.job()))
              .forEach(job -> cleared.merge(worker.name(), job, ClusterInventory::first));
    return cleared;
  }

  private static JobDemand first(JobDemand one, JobDemand other) {
    return one.standing().priority() >= other.standing().priority() ? one : other;
  }

  public static ClusterCapacity.At at(Worker worker, Set<String> named) {
    var name = named.contains(worker.name()) ? worker.name() : "";
    return new ClusterCapacity.At(
        worker.pool(), worker.zone(), name, worker.labels(), worker.nominee().orElse(""));
  }

  private static Room room(ClusterSnapshot clusterSnapshot, Worker worker, Set<String> named) {
    var use =
        switch (worker.state()) {
          case WorkerState.Ready r when r.idleSince().isEmpty() || !worker.held().isEmpty() ->
              Use.BUSY;
          case WorkerState.Ready r ->
              DrainPlanner.isSpare(clusterSnapshot, worker) ? Use.SPARE : Use.IDLE;
          default -> Use.IN_FLIGHT;
        };
    return new Room(at(worker, named), free(clusterSnapshot, worker), use, 1, slice(worker));
  }

  private static boolean slice(Worker worker) {
    return !TpuTypes.isOneHost(worker.machineType());
  }

  /**
   * The room that running tasks leave, as far as the ledger knows. A slice runs one task, a machine
   * of a gang nothing else, and one that holds as many shards as it may takes no more.
   */
  public static FreeResources free(ClusterSnapshot clusterSnapshot, Worker worker) {
    if (worker.inGang()
        || HeldLimit.isReached(worker)
        || (slice(worker) && !worker.held().isEmpty())) return FreeResources.of(Resources.ZERO);
    var amounts = total(clusterSnapshot, worker);
    var free = FreeResources.of(amounts).using(worker.gpusUsed(), worker.gpuMemoryUsed());
    var devicesReported = !worker.gpusUsed().isEmpty();
    for (var held : worker.held()) {
      // Reported devices include running tasks; tasks granted since are placed by the rule.
      if (!devicesReported || held.running().isEmpty())
        free = free.without(held.need(), atOnce(held));
      amounts = amounts.minus(free.taken(held.need()).times(atOnce(held)));
    }
    return new FreeResources(amounts, free.gpus(), free.gpuMemory());
  }

  /**
   * The room left by {@code tasks} tasks of each of its leases, with devices placed by the rule.
   */
  public static FreeResources left(Worker worker, ToLongFunction<Worker.Held> tasks) {
    var free = FreeResources.of(worker.total());
    for (var held : worker.held()) free = free.without(held.need(), tasks.applyAsLong(held));
    return free;
  }

  /** How many tasks of a lease run at once, as far as the ledger knows; at least one. */
  public static long atOnce(Worker.Held held) {
    return held.atOnce();
  }

  /** As the agent reported, or as the pool's type promises before the first report. */
  private static Resources total(ClusterSnapshot clusterSnapshot, Worker worker) {
    if (worker.state() instanceof WorkerState.Ready) return worker.total();
    var pool = clusterSnapshot.cluster().spec().pool(worker.pool());
    return pool.isPresent() ? pool.get().visible() : worker.total();
  }

  private static List<Room> rows(Map<Room, Long> rooms) {
    List<Room> all = new ArrayList<>();
    rooms.forEach((r, n) -> all.add(new Room(r.at(), r.free(), r.use(), n, r.slice())));
    all.sort(Comparator.comparing(Room::use).thenComparing(ClusterInventory::isAccelerated));
    return all;
  }

  /**
   * New machines with accelerators are filled last, as the plan that launched them filled them: the
   * next one would else drain what it launched beside them for the tasks that need none.
   */
  private static boolean isAccelerated(Room room) {
    var amounts = room.free().amounts();
    return room.use() == Use.IN_FLIGHT && (amounts.gpuMillis() > 0 || amounts.tpuChips() > 0);
  }
}
