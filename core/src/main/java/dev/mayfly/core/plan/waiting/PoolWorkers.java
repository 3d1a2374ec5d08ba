package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.HeldLimit;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the workers of a pool do for a job that waits. */
final class PoolWorkers {
  /** The most workers that are named for one cause. */
  private static final int NAMED = 3;

  private final ClusterSnapshot clusterSnapshot;
  private final WaitingFacts facts;
  private final LateBoots late;
  private final Map<String, String> names;

  PoolWorkers(ClusterSnapshot clusterSnapshot, WaitingFacts facts) {
    this.clusterSnapshot = clusterSnapshot;
    this.facts = facts;
    late = new LateBoots(clusterSnapshot);
    names = new LinkedHashMap<>(facts.names());
    clusterSnapshot.jobs().forEach(job -> this.names.put(job.job(), job.name()));
  }

  /** Names of jobs, by uid. */
  Map<String, String> names() {
    return names;
  }

  boolean has(String name) {
    return clusterSnapshot.workers().stream().anyMatch(w -> w.name().equals(name));
  }

  /** What the job waits for on the ready workers where its tasks have room. */
  List<Veto> ready(JobDemand job, Plan.Found found) {
    var there =
        clusterSnapshot.workers().stream()
            .filter(w -> w.pool().equals(found.pool()) && w.zone().equals(found.zone()))
            .filter(w -> w.mayRunFallback(job.place()) && hasRoom(w, job))
            .toList();
    var free = there.stream().filter(this::takesTasks).toList();
    if (free.isEmpty()) return byCause(there);
    return List.of(nextReport(free));
  }

  private boolean takesTasks(Worker worker) {
    return !ClusterInventory.isCordoned(clusterSnapshot, worker)
        && worker.machineProblem().map(MachineProblem::takesTasks).orElse(true);
  }

  private boolean hasRoom(Worker worker, JobDemand job) {
    return worker.state() instanceof WorkerState.Ready
        && ClusterInventory.free(clusterSnapshot, worker).fits(job.need());
  }

  private Veto nextReport(List<Worker> free) {
    var named =
        free.stream()
            .map(Worker::name)
            .sorted(
                Comparator.comparing((String name) -> facts.due().getOrDefault(name, Instant.MAX))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(NAMED)
            .toList();
    return new ComingVeto.NextReport(named, Optional.ofNullable(facts.due().get(named.getFirst())));
  }

  /** Those of the pool that are being created. */
  List<Veto> inFlight(String pool) {
    return BootingWorkers.of(pool, clusterSnapshot, late, facts);
  }

  /** Ready workers of these pools that can run no task, or are not prepared for tasks yet. */
  List<Veto> unfit(JobDemand job, List<PoolSpec> pools) {
    return byCause(
        clusterSnapshot.workers().stream()
            .filter(w -> w.state() instanceof WorkerState.Ready && isOf(w, pools))
            .filter(w -> w.mayRun(job.place()))
            .toList());
  }

  private static boolean isOf(Worker worker, List<PoolSpec> pools) {
    return pools.stream().anyMatch(pool -> pool.name().equals(worker.pool()));
  }

  private List<Veto> byCause(List<Worker> workers) {
    var cordoned = new ArrayList<Worker>();
    var unfit = new LinkedHashMap<String, List<String>>();
    var preparing = new LinkedHashMap<String, List<String>>();
    for (var worker : workers) {
      if (takesTasks(worker)) continue;
      if (ClusterInventory.isCordoned(clusterSnapshot, worker)) {
        cordoned.add(worker);
        continue;
      }
      var what = worker.machineProblem().orElseThrow().what();
      add(worker.has(MachineProblem.Kind.PREPARING) ? preparing : unfit, what, worker);
    }
    var vetoes = new ArrayList<Veto>();
    if (!cordoned.isEmpty()) vetoes.add(cordoned(cordoned));
    unfit.forEach((lacks, some) -> vetoes.add(new WorkerVeto.Unfit(some, lacks)));
    preparing.forEach((what, some) -> vetoes.add(new ComingVeto.Preparing(some, what)));
    return vetoes;
  }

  private Veto cordoned(List<Worker> workers) {
    var byEnd = Comparator.comparing(this::cordonedUntil).thenComparing(Worker::name);
    var sorted = workers.stream().sorted(byEnd).toList();
    return new WorkerVeto.Cordoned(
        sorted.stream().map(Worker::name).toList(),
        cordonedUntil(sorted.getFirst()),
        Cordons.of(sorted.getFirst(), clusterSnapshot.now())
            .filter(Cordon::isByJob)
            .flatMap(Cordon::kept));
  }

  private Instant cordonedUntil(Worker worker) {
    return Cordons.of(worker, clusterSnapshot.now()).map(Cordon::until).orElse(Instant.MAX);
  }

  private static void add(Map<String, List<String>> byCause, String cause, Worker worker) {
    byCause.computeIfAbsent(cause, _ -> new ArrayList<>()).add(worker.name());
  }

  /** Ready workers of these pools that have too little room for a task. */
  List<Veto> full(JobDemand job, List<PoolSpec> pools) {
    var vetoes = new ArrayList<Veto>();
    for (var pool : pools) {
      var full =
          clusterSnapshot.workers().stream()
              .filter(w -> w.pool().equals(pool.name()) && w.mayRun(job.place()))
              .filter(w -> w.state() instanceof WorkerState.Ready)
              .filter(w -> takesTasks(w) && !hasRoom(w, job))
              .toList();
      full.stream().limit(NAMED).forEach(w -> vetoes.add(full(w, job)));
      if (full.size() > NAMED)
        vetoes.add(new WorkerVeto.MoreFull(pool.name(), full.size() - NAMED));
    }
    return vetoes;
  }

  private Veto full(Worker worker, JobDemand job) {
    if (HeldLimit.isReached(worker))
      return new WorkerVeto.HoldsMost(worker.name(), worker.held().size());
    // A report of a while ago may name what has ended, and what is next may be more than fits.
    var reported = ClusterInventory.free(clusterSnapshot, worker);
    var left = worker.total();
    var users = new LinkedHashMap<String, Resources>();
    for (var held : worker.held()) {
      var uses = reported.taken(held.need()).times(held.atOnce()).least(left);
      left = left.minus(uses);
      users.merge(names.getOrDefault(held.job(), held.job()), uses, Resources::plus);
    }
    users.values().removeIf(uses -> uses.cpuMillis() + uses.memoryBytes() + uses.gpuMillis() == 0);
    var free = new FreeResources(left, reported.gpus(), reported.gpuMemory());
    return new WorkerVeto.Full(
        worker.name(),
        free,
        worker.total(),
        free.taken(job.need()),
        users.entrySet().stream()
            .map(user -> new WorkerVeto.User(user.getKey(), user.getValue()))
            .toList());
  }
}
