package dev.mayfly.core.plan;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.KeptWorkerPlanner;
import dev.mayfly.core.plan.capacity.LeasePreemptionRules;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Set;

/**
 * Chooses lease preemptions when no more room can be had: the unstarted rest of a lease goes back,
 * so that other jobs' tasks follow its running ones.
 *
 * <p><b>Must:</b> take back no task that may have started, and nothing from a gang or from a job
 * whose tasks must not run twice; preempt only for a higher priority, for an owner of the same
 * priority who is served first, or, on a kept worker, for an older job of the same owner.
 *
 * <p><b>Goals</b>, first to last: kept workers; leases of the lowest priority; leases of the owner
 * with the most running tasks for each share.
 */
final class LeasePreemptionPlanner {
  /** The most leases preempted in one plan: each is a read and perhaps a write. */
  static final int YIELDS = 64;

  private final ClusterSnapshot clusterSnapshot;
  private final LeasePreemptionRules leasePreemptionRules;
  private final KeptWorkerPlanner keptWorkerPlanner;
  private final Comparator<Worker.Held> standing;
  private final List<PlanDecision.PreemptLease> preemptLeases = new ArrayList<>();

  LeasePreemptionPlanner(
      ClusterSnapshot clusterSnapshot,
      LeasePreemptionRules leasePreemptionRules,
      KeptWorkerPlanner keptWorkerPlanner) {
    this.clusterSnapshot = clusterSnapshot;
    this.leasePreemptionRules = leasePreemptionRules;
    this.keptWorkerPlanner = keptWorkerPlanner;
    standing =
        Comparator.comparing((Worker.Held h) -> victim(h).standing().priority())
            .thenComparing(h -> -leasePreemptionRules.level(victim(h)));
  }

  private JobDemand victim(Worker.Held lease) {
    return leasePreemptionRules.job(lease).orElseThrow();
  }

  /**
   * The leases to preempt.
   *
   * @param starved the jobs for which the plan found no room, by uid
   * @param keeps their workers are cleared first, because the keeping job needs all of their room
   */
  List<PlanDecision.PreemptLease> yields(Set<String> starved, List<Plan.Keep> keeps) {
    if (starved.isEmpty()) return List.of();
    var byJob = new HashMap<String, JobDemand>();
    clusterSnapshot.jobs().forEach(j -> byJob.put(j.job(), j));
    for (var keep : keeps)
      if (starved.contains(keep.job())) clear(requireNonNull(byJob.get(keep.job())), keep);
    for (var job : clusterSnapshot.jobs())
      if (job.gang() <= 1 && starved.contains(job.job())) preemptFor(job);
    return preemptLeases;
  }

  private void clear(JobDemand job, Plan.Keep keep) {
    var kept = Set.copyOf(keep.workers());
    for (var worker : clusterSnapshot.workers())
      if (kept.contains(worker.name()))
        for (var lease : worker.held())
          if (keptWorkerPlanner.isPreemptible(lease, job)) preempt(worker, lease, job, 0);
  }

  private void preemptFor(JobDemand job) {
    if (preemptLeases.size() >= YIELDS || !leasePreemptionRules.anyGivesWay(job)) return;
    var wanted = job.ready();
    for (var worker : workersByLowestLease(job))
      for (var lease : preemptibleLowestFirst(worker, job)) {
        if (wanted <= 0 || preemptLeases.size() >= YIELDS) return;
        wanted -= preempt(worker, lease, job);
      }
  }

  private boolean isPreemptible(Worker.Held lease, JobDemand job) {
    return !lease.gang()
        && leasePreemptionRules
            .job(lease)
            .filter(v -> leasePreemptionRules.givesWay(v, job))
            .isPresent();
  }

  /** For how many of the job's tasks there is room when the lease's tasks end. */
  private static long roomFor(Worker worker, Worker.Held lease, JobDemand job) {
    var now = ClusterInventory.left(worker, ClusterInventory::atOnce).slots(job.need());
    var one =
        ClusterInventory.left(worker, h -> ClusterInventory.atOnce(h) - (h.equals(lease) ? 1 : 0));
    if (one.slots(job.need()) == now) return 0;
    var then = ClusterInventory.left(worker, h -> h.equals(lease) ? 0 : ClusterInventory.atOnce(h));
    return then.slots(job.need()) - now;
  }

  /**
   * Preempts the lease; returns how many of the job's tasks it makes room for. A lease that makes
   * no room is left alone.
   */
  private long preempt(Worker worker, Worker.Held lease, JobDemand to) {
    // Each preemption changes which owner has less.
    if (isTaken(worker, lease) || !isPreemptible(lease, to)) return 0;
    var room = roomFor(worker, lease, to);
    if (room > 0) preempt(worker, lease, to, room);
    return room;
  }

  private void preempt(Worker worker, Worker.Held lease, JobDemand to, long room) {
    if (preemptLeases.size() >= YIELDS || isTaken(worker, lease)) return;
    var slots = ClusterInventory.atOnce(lease);
    var victim = victim(lease);
    preemptLeases.add(
        new PlanDecision.PreemptLease(worker.name(), lease.ref(), slots, reason(victim, to)));
    leasePreemptionRules.recordPreemption(victim, slots, to, room);
  }

  private boolean isTaken(Worker worker, Worker.Held lease) {
    return preemptLeases.stream()
        .anyMatch(y -> y.worker().equals(worker.name()) && y.lease().equals(lease.ref()));
  }

  /** The preemptible leases: lowest priority first, then owners with the most running tasks. */
  private List<Worker.Held> preemptibleLowestFirst(Worker worker, JobDemand job) {
    return worker.held().stream().filter(h -> isPreemptible(h, job)).sorted(standing).toList();
  }

  /**
   * Workers by their lowest preemptible lease. Among equals the order depends on the job, so that
   * not always the same leases are preempted.
   */
  private List<Worker> workersByLowestLease(JobDemand job) {
    var lowest = new HashMap<String, Worker.Held>();
    for (var worker : clusterSnapshot.workers())
      if (!worker.held().isEmpty()
          && !ClusterInventory.isCordoned(clusterSnapshot, worker)
          && !keptWorkerPlanner.isKept(worker)
          && suits(worker, job))
        worker.held().stream()
            .filter(h -> isPreemptible(h, job))
            .min(standing)
            .ifPresent(h -> lowest.put(worker.name(), h));
    return clusterSnapshot.workers().stream()
        .filter(w -> lowest.containsKey(w.name()))
        .sorted(
            Comparator.comparing((Worker w) -> requireNonNull(lowest.get(w.name())), standing)
                .thenComparing(w -> w.held().size(), Comparator.reverseOrder())
                .thenComparing(w -> (w.name() + job.job()).hashCode())
                .thenComparing(Worker::name))
        .toList();
  }

  private static boolean suits(Worker worker, JobDemand job) {
    return worker.total().fits(job.need()) && worker.mayRun(job.place());
  }

  private static String reason(JobDemand victim, JobDemand to) {
    if (victim.standing().priority() < to.standing().priority())
      return "job %s has a higher priority".formatted(to.name());
    return victim.standing().owner().equals(to.standing().owner())
        ? "job %s is ahead in the queue".formatted(to.name())
        : "job %s belongs to an owner who runs less for their shares".formatted(to.name());
  }
}
