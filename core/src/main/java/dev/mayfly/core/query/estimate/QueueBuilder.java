package dev.mayfly.core.query.estimate;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.KeptWorkerPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.waiting.PausedOrders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the queue of a cluster, as it is drawn for one job that waits: the machines that the job
 * and those beside it may have, the jobs that want them, and what runs there.
 *
 * @param plan that is made next
 * @param running by job, its tasks, of the jobs of which these are known
 * @param durations by job, as far as they are known
 * @param boots by pool
 */
record QueueBuilder(
    ClusterSnapshot snapshot,
    Plan plan,
    Map<String, RunningReader.Held> running,
    Map<String, JobDurations> durations,
    Map<String, BootTimes> boots) {
  /** The next pass orders its machines within this, in seconds. */
  private static final double ORDERED = 20;

  /** More machines of one order are no news for the first task. */
  private static final int MOST_ORDERED = 100;

  private static final double MILLIS = 1_000;

  /** The jobs that want or hold machines which the job may have, itself among them, in order. */
  static List<JobDemand> beside(ClusterSnapshot snapshot, JobDemand job) {
    var pools = usable(snapshot, job);
    return snapshot.jobs().stream()
        .filter(other -> other.ready() + other.leased() > 0)
        .filter(other -> other.job().equals(job.job()) || isBeside(snapshot, other, job, pools))
        .toList();
  }

  private static boolean isBeside(
      ClusterSnapshot snapshot, JobDemand other, JobDemand job, List<PoolSpec> pools) {
    return usable(snapshot, other).stream().anyMatch(pools::contains)
        || snapshot.workers().stream()
            .anyMatch(worker -> may(snapshot, job, worker) && holds(worker, other.job()));
  }

  private static boolean holds(Worker worker, String job) {
    return worker.held().stream().anyMatch(held -> held.job().equals(job));
  }

  /** The pools whose machines could run a task of the job. */
  static List<PoolSpec> usable(ClusterSnapshot snapshot, JobDemand job) {
    return snapshot.cluster().spec().pools().stream()
        .filter(pool -> Feasibility.why(job.need(), job.place(), pool).isEmpty())
        .toList();
  }

  /** Whether it could run a task of the job, if it were idle. */
  static boolean may(ClusterSnapshot snapshot, JobDemand job, Worker worker) {
    return worker.mayRun(job.place()) && total(snapshot, worker).fits(job.need());
  }

  /** As its agent reported, or as its pool promises before that. */
  private static Resources total(ClusterSnapshot snapshot, Worker worker) {
    if (worker.state() instanceof WorkerState.Ready) return worker.total();
    return snapshot
        .cluster()
        .spec()
        .pool(worker.pool())
        .map(PoolSpec::visible)
        .orElseGet(worker::total);
  }

  private static boolean may(JobDemand job, PoolSpec pool, String zone) {
    return job.place().workers().isEmpty()
        && job.place().allowsZone(zone)
        && Feasibility.why(job.need(), job.place(), pool).isEmpty();
  }

  /** Whether it takes tasks, or does so soon by itself. */
  private boolean isUsed(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Ready _ ->
          ClusterInventory.takesWork(snapshot, worker) && (takesTasks(worker) || prepares(worker));
      case WorkerState.Booting booting ->
          booting.queue().isEmpty() && !ClusterInventory.isCordoned(snapshot, worker);
      case WorkerState.Launching _ -> worker.machineProblem().isEmpty();
      case WorkerState.Draining _, WorkerState.Drained _, WorkerState.Lost _, WorkerState.Gone _ ->
          false;
    };
  }

  private static boolean takesTasks(Worker worker) {
    return worker.machineProblem().map(MachineProblem::takesTasks).orElse(true);
  }

  private static boolean prepares(Worker worker) {
    return worker.has(MachineProblem.Kind.PREPARING);
  }

  /** The indexes of jobs, and what is gathered of each. */
  private static final class Rows {
    private final List<JobDemand> demands;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final Map<String, Resources> needs = new HashMap<>();
    private final Map<String, Set<Integer>> machines = new HashMap<>();
    private final List<RestOfQueue.Machine> all = new ArrayList<>();
    private final Map<String, Integer> byName = new HashMap<>();

    private Rows(List<JobDemand> demands) {
      this.demands = demands;
      for (var demand : demands) index(demand.job(), demand.need());
    }

    private int index(String job, Resources need) {
      needs.putIfAbsent(job, need);
      return indexes.computeIfAbsent(job, _ -> indexes.size());
    }

    private void add(RestOfQueue.Machine machine, List<JobDemand> may) {
      for (var demand : may)
        machines.computeIfAbsent(demand.job(), _ -> new HashSet<>()).add(all.size());
      all.add(machine);
    }

    private int first(Optional<String> nominee) {
      return nominee.map(job -> indexes.getOrDefault(job, -1)).orElse(-1);
    }
  }

  /**
   * @param demands those of {@link #beside}, the job among them
   * @param later what comes after a pause
   */
  RestOfQueue build(JobDemand job, List<JobDemand> demands, List<PausedOrders.Later> later) {
    var rows = new Rows(demands);
    for (var worker : snapshot.workers()) {
      var may = demands.stream().filter(demand -> may(snapshot, demand, worker)).toList();
      if (!may.isEmpty() && isUsed(worker)) add(rows, worker, may);
    }
    for (var decision : plan.decisions())
      if (decision instanceof PlanDecision.Launch launch)
        for (var i = 0; i < Math.min(launch.count(), MOST_ORDERED); i++)
          order(
              rows,
              snapshot.cluster().spec().pool(launch.pool()).orElseThrow(),
              launch.zone(),
              0,
              launch.launchedFor(i).flatMap(LaunchedFor::nominee));
    for (var it : later)
      order(rows, it.pool(), it.zone(), seconds(snapshot.now(), it.at()), Optional.empty());
    var queued = rows.indexes.keySet().stream().map(uid -> queued(uid, rows)).toList();
    var limits = new HashMap<String, Long>();
    for (var it : queued)
      snapshot
          .cluster()
          .spec()
          .limit()
          .of(it.owner())
          .ifPresent(n -> limits.put(it.owner(), (long) n));
    return new RestOfQueue(
        rows.all, queued, limits, snapshot.shareRule(), rows.index(job.job(), job.need()));
  }

  private void add(Rows rows, Worker worker, List<JobDemand> may) {
    var ready = worker.state() instanceof WorkerState.Ready && !prepares(worker);
    var age = seconds(worker.createdAt(), snapshot.now());
    var coming =
        ready
            ? Optional.<RestOfQueue.Coming>empty()
            : Optional.of(new RestOfQueue.Coming(0, 0, age, boots(worker.pool())));
    rows.byName.put(worker.name(), rows.all.size());
    rows.add(
        new RestOfQueue.Machine(
            worker.pool() + "/" + worker.zone(),
            coming,
            total(snapshot, worker),
            !TpuTypes.isOneHost(worker.machineType()),
            rows.first(worker.nominee()),
            running(rows, worker),
            given(rows, worker)),
        may);
  }

  private void order(Rows rows, PoolSpec pool, String zone, double after, Optional<String> first) {
    var may = rows.demands.stream().filter(demand -> may(demand, pool, zone)).toList();
    if (may.isEmpty()) return;
    rows.add(
        new RestOfQueue.Machine(
            pool.name() + "/" + zone,
            Optional.of(new RestOfQueue.Coming(after, after + ORDERED, 0, boots(pool.name()))),
            pool.visible(),
            !TpuTypes.isOneHost(pool.machineType()),
            rows.first(first),
            List.of(),
            Map.of()),
        may);
  }

  private BootTimes boots(String pool) {
    return boots.getOrDefault(pool, new BootTimes(List.of()));
  }

  /** Of jobs that were not looked at, as many as it holds, for how long is not known. */
  private List<RestOfQueue.Running> running(Rows rows, Worker worker) {
    var tasks = new ArrayList<RestOfQueue.Running>();
    var known = new HashSet<String>();
    for (var held : worker.held()) {
      var job = rows.index(held.job(), held.need());
      var ofJob = running.get(held.job());
      if (ofJob != null && !known.add(held.job())) continue;
      if (ofJob == null)
        for (var i = 0; i < held.atOnce(); i++)
          tasks.add(new RestOfQueue.Running(job, new RestOfJob.Running(0, 0), held.gang()));
      else
        for (var task : ofJob.tasks())
          if (task.workers().contains(worker.name()))
            tasks.add(new RestOfQueue.Running(job, task.at(snapshot.now()), held.gang()));
    }
    return tasks;
  }

  private Map<Integer, Long> given(Rows rows, Worker worker) {
    var given = new HashMap<Integer, Long>();
    running.forEach((job, held) -> {
      var tasks = held.given().getOrDefault(worker.name(), 0L);
      if (tasks > 0 && rows.indexes.containsKey(job))
        given.put(requireNonNull(rows.indexes.get(job)), tasks);
    });
    return given;
  }

  /** Those that wait, and those that machines hold of which nobody knows which does. */
  private long waiting(JobDemand demand) {
    var held = running.get(demand.job());
    if (held == null || demand.gang() > 1) return demand.ready();
    var known = held.tasks().size() + held.given().values().stream().mapToLong(n -> n).sum();
    return demand.ready() + Math.max(0, demand.leased() - known);
  }

  private RestOfQueue.Queued queued(String uid, Rows rows) {
    var demand = rows.demands.stream().filter(it -> it.job().equals(uid)).findFirst();
    var kept = new HashSet<Integer>();
    for (var keep : plan.keeps())
      if (keep.job().equals(uid))
        for (var name : keep.workers())
          if (rows.byName.containsKey(name)) kept.add(rows.byName.get(name));
    var concurrency = demand.map(it -> it.standing().concurrency()).orElse(0);
    return new RestOfQueue.Queued(
        requireNonNull(rows.needs.get(uid)),
        demand.map(JobDemand::gang).orElse(1),
        demand.map(it -> it.standing().priority()).orElse(0),
        demand.map(it -> it.standing().owner()).orElse(""),
        demand.map(it -> it.standing().exclusive()).orElse(false),
        demand.map(this::waiting).orElse(0L),
        concurrency == 0 ? Long.MAX_VALUE : concurrency,
        Optional.ofNullable(durations.get(uid)),
        rows.machines.getOrDefault(uid, Set.of()),
        kept,
        demand.map(it -> it.part(snapshot.shareRule())).orElse(1.0),
        demand.filter(it -> it.gang() <= 1).map(this::keepsFrom).orElse(0.0));
  }

  private double keepsFrom(JobDemand demand) {
    var from = demand.waiting().since().plus(KeptWorkerPlanner.AFTER);
    return Math.max(0, seconds(snapshot.now(), from));
  }

  static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / MILLIS;
  }
}
