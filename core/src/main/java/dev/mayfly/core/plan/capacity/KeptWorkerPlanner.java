package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps workers until enough of their room is free: for a task larger than the room that frees up
 * at once, which smaller tasks would always take first, and for gangs.
 *
 * <p><b>Must:</b> keep a worker for one job at a time, and not for a job behind another that waits
 * for the same pool; count only on preemptible leases.
 *
 * <p><b>Goals</b>, first to last: workers kept for the job before; workers where the fewest tasks
 * have to end.
 */
public final class KeptWorkerPlanner {
  /** How long a job waits for room that others of its priority use before workers are kept. */
  public static final Duration AFTER = Duration.ofMinutes(3);

  /** The most workers kept at once for single tasks of one job of a higher priority. */
  static final int MAX_KEPT_WORKERS = 8;

  /** The most jobs for which one plan examines every worker. */
  private static final int SCANS = 16;

  private final ClusterSnapshot clusterSnapshot;
  private final LeasePreemptionRules leasePreemptionRules;
  private final Set<String> ending;
  private final Set<String> keptNames = new HashSet<>();
  private final Map<String, List<JobDemand>> waiting = new HashMap<>();
  private final Set<String> served = new HashSet<>();
  private int scans;

  public KeptWorkerPlanner(
      ClusterSnapshot clusterSnapshot,
      LeasePreemptionRules leasePreemptionRules,
      Set<String> ending) {
    this.clusterSnapshot = clusterSnapshot;
    this.leasePreemptionRules = leasePreemptionRules;
    this.ending = ending;
  }

  /** Whether the job may use a worker kept for the keeper. */
  public static boolean mayUseKept(JobDemand keeper, JobDemand job) {
    return job.job().equals(keeper.job())
        || job.standing().priority() > keeper.standing().priority();
  }

  /** The job lacks room in these pools: no later job may keep their workers. */
  public void waits(JobDemand job, List<String> pools) {
    for (var pool : pools) waiting.computeIfAbsent(pool, _ -> new ArrayList<>()).add(job);
  }

  /** Whether a job ahead in the queue waits for workers of the pool, and does not give way. */
  public boolean isAsked(String pool, JobDemand job) {
    return waiting.getOrDefault(pool, List.of()).stream()
        .anyMatch(w ->
            !w.job().equals(job.job())
                && !leasePreemptionRules.givesWay(w, job)
                && !keepsTurn(w, job));
  }

  /** This plan gives the job what its workers were kept for. */
  public void served(JobDemand job) {
    served.add(job.job());
  }

  /**
   * Whether the other comes after this job, whose turn it was when workers were first kept for it.
   * As they empty, the other runs less and less, and would be served first just before enough of
   * them are free: they would fill and empty again, for nobody. Where what owners ran lately counts
   * too, it is no reason that one runs less for a moment.
   */
  private boolean keepsTurn(JobDemand other, JobDemand job) {
    return !job.waiting().kept().isEmpty()
        && !leasePreemptionRules.remembers()
        && (job.gang() > 1 || !other.need().covers(job.need()))
        && !served.contains(job.job())
        && other.waiting().kept().isEmpty()
        && other.standing().priority() == job.standing().priority();
  }

  /** Workers that this plan gives to gangs, or keeps. */
  public Set<String> kept() {
    return keptNames;
  }

  public void keep(Worker worker) {
    keptNames.add(worker.name());
  }

  public boolean isKept(Worker worker) {
    return keptNames.contains(worker.name());
  }

  /** Whether the lease's unstarted tasks may go back for the job. */
  public boolean isPreemptible(Worker.Held lease, JobDemand job) {
    return !lease.gang()
        && leasePreemptionRules
            .job(lease)
            .filter(v ->
                leasePreemptionRules.givesWay(v, job)
                    || leasePreemptionRules.isYounger(v, job)
                    || (!v.standing().exclusive() && keepsTurn(v, job)))
            .isPresent();
  }

  /** Workers to keep for single tasks of the job, which found no room. */
  public List<Worker> forTasks(JobDemand job, Set<String> pools) {
    if (scans >= SCANS) return List.of();
    scans++;
    var patient = clusterSnapshot.now().isBefore(job.waiting().since().plus(AFTER));
    var kept = new ArrayList<Worker>();
    var most = Math.min(MAX_KEPT_WORKERS, job.ready());
    for (var worker : candidates(job, pools)) {
      if (patient && !isAbove(job, worker)) continue;
      // Among equals one worker at a time is enough: its running tasks give the others time.
      if (!kept.isEmpty() && (kept.size() >= most || !isAbove(job, worker))) break;
      kept.add(worker);
      keep(worker);
    }
    return kept;
  }

  private List<Worker> candidates(JobDemand job, Set<String> pools) {
    return clusterSnapshot.workers().stream()
        .filter(w -> pools.contains(w.pool()) && suits(w, job) && mayBeCleared(w, job))
        .sorted(byEffort(job))
        .toList();
  }

  /** The least work to end first; workers kept before come before all others. */
  public static Comparator<Worker> byEffort(JobDemand job) {
    return Comparator.comparing((Worker w) -> !job.waiting().kept().contains(w.name()))
        .thenComparing(w -> w.held().stream().mapToLong(ClusterInventory::atOnce).sum())
        .thenComparing(Worker::name);
  }

  /** Whether the worker could run a task of the job if it were idle. */
  public boolean suits(Worker worker, JobDemand job) {
    return worker.state() instanceof WorkerState.Ready
        && TpuTypes.isOneHost(worker.machineType())
        && worker.unfit().isEmpty()
        && !ClusterInventory.isCordoned(clusterSnapshot, worker)
        && !ending.contains(worker.name())
        && !isKept(worker)
        && worker.mayRun(job.place())
        && worker.total().fits(job.need());
  }

  /**
   * Whether a task fits once preemptible leases are over, but neither now nor after one of their
   * tasks ends, when it fits without keeping. A worker kept before stays kept until the task fits.
   */
  private boolean mayBeCleared(Worker worker, JobDemand job) {
    var was = job.waiting().kept().contains(worker.name());
    if (!was
        && (ClusterInventory.free(clusterSnapshot, worker).fits(job.need())
            || fitsAfterOneTask(worker, job))) return false;
    return ClusterInventory.left(
            worker, h -> isPreemptible(h, job) ? 0 : ClusterInventory.atOnce(h))
        .fits(job.need());
  }

  private boolean fitsAfterOneTask(Worker worker, JobDemand job) {
    for (var one : worker.held()) {
      if (!isPreemptible(one, job)) continue;
      var left =
          ClusterInventory.left(worker, h -> ClusterInventory.atOnce(h) - (h.equals(one) ? 1 : 0));
      if (left.fits(job.need())) return true;
    }
    return false;
  }

  /** Whether all leases there are preemptible and of a lower priority. */
  public boolean isAboveAll(JobDemand job, Worker worker) {
    return worker.held().stream().allMatch(h -> isPreemptible(h, job)) && isAbove(job, worker);
  }

  private boolean isAbove(JobDemand job, Worker worker) {
    return worker.held().stream()
        .filter(h -> isPreemptible(h, job))
        .flatMap(h -> leasePreemptionRules.job(h).stream())
        .allMatch(v -> v.standing().priority() < job.standing().priority());
  }

  /** Workers kept for the job that are free now: they only need a grant. */
  public List<Worker> free(JobDemand job) {
    if (job.ready() == 0 || job.waiting().kept().isEmpty()) return List.of();
    var free =
        clusterSnapshot.workers().stream()
            .filter(w -> job.waiting().kept().contains(w.name()))
            .filter(
                w -> suits(w, job) && ClusterInventory.free(clusterSnapshot, w).fits(job.need()))
            .toList();
    free.forEach(this::keep);
    return free;
  }

  /** When the tasks to wait for end at the latest; empty if one may run for ever. */
  public Optional<Instant> until(List<Worker> workers, JobDemand job) {
    var latest = clusterSnapshot.now();
    for (var worker : workers)
      for (var lease : worker.held()) {
        if (job.gang() <= 1 && !isPreemptible(lease, job)) continue;
        var longest = leasePreemptionRules.job(lease).flatMap(j -> j.waiting().longest());
        if (longest.isEmpty()) return Optional.empty();
        var end = lease.since().plus(longest.get());
        if (end.isAfter(latest)) latest = end;
      }
    return Optional.of(latest).filter(clusterSnapshot.now()::isBefore);
  }
}
