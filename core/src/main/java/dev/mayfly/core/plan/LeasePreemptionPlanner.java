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
 * Who gives way when there is no more room to be had: the rest of leases goes back, so that what
 * runs there is followed by tasks of others.
 *
 * <p><b>Must:</b> take no task that may have begun away from anybody, and nothing from a job whose
 * tasks must not run twice, nor from a gang; give way only to a higher priority, to an owner of the
 * same one who has less, or, on a worker that is kept, to one's own older job.
 *
 * <p><b>Goals</b>, first to last: the workers that are kept; those of the lowest priority; those of
 * whoever has most.
 */
final class LeasePreemptionPlanner {
  /** Leases that give way in one round: each is a read and perhaps a write. */
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
            .thenComparing(h -> -leasePreemptionRules.runningTasks(victim(h)));
  }

  private JobDemand victim(Worker.Held lease) {
    return leasePreemptionRules.job(lease).orElseThrow();
  }

  /**
   * The leases whose rest goes back, so that what runs there is followed by tasks of others.
   *
   * @param starved the jobs for which the plan found no room, by uid
   * @param keeps whose workers are cleared first: what they wait for is all of their room
   */
  List<PlanDecision.PreemptLease> yields(Set<String> starved, List<Plan.Keep> keeps) {
    if (starved.isEmpty()) return List.of();
    var byJob = new HashMap<String, JobDemand>();
    clusterSnapshot.jobs().forEach(j -> byJob.put(j.job(), j));
    for (var keep : keeps)
      if (starved.contains(keep.job())) clear(requireNonNull(byJob.get(keep.job())), keep);
    for (var job : clusterSnapshot.jobs())
      if (job.gang() <= 1 && starved.contains(job.job())) makeRoom(job);
    return preemptLeases;
  }

  private void clear(JobDemand job, Plan.Keep keep) {
    var kept = Set.copyOf(keep.workers());
    for (var worker : clusterSnapshot.workers())
      if (kept.contains(worker.name()))
        for (var lease : worker.held())
          if (keptWorkerPlanner.isPreemptible(lease, job)) giveWay(worker, lease, job, 0);
  }

  private void makeRoom(JobDemand job) {
    if (preemptLeases.size() >= YIELDS || !leasePreemptionRules.anyGivesWay(job)) return;
    var wanted = job.ready();
    for (var worker : mostToTake(job))
      for (var lease : goingLowestFirst(worker, job)) {
        if (wanted <= 0 || preemptLeases.size() >= YIELDS) return;
        wanted -= giveWay(worker, lease, job);
      }
  }

  private boolean mayGo(Worker.Held lease, JobDemand job) {
    return !lease.gang()
        && leasePreemptionRules
            .job(lease)
            .filter(v -> leasePreemptionRules.givesWay(v, job))
            .isPresent();
  }

  /** For how many of the job's tasks there is room when a task of the lease is over. */
  private static long roomFor(Worker worker, Worker.Held lease, JobDemand job) {
    var now = ClusterInventory.left(worker, ClusterInventory::atOnce).slots(job.need());
    var one =
        ClusterInventory.left(worker, h -> ClusterInventory.atOnce(h) - (h.equals(lease) ? 1 : 0));
    if (one.slots(job.need()) == now) return 0;
    var then = ClusterInventory.left(worker, h -> h.equals(lease) ? 0 : ClusterInventory.atOnce(h));
    return then.slots(job.need()) - now;
  }

  /** How many of the job's tasks it leaves room for; what leaves room for none is left alone. */
  private long giveWay(Worker worker, Worker.Held lease, JobDemand to) {
    // Each that gives way changes who has less.
    if (isTaken(worker, lease) || !mayGo(lease, to)) return 0;
    var room = roomFor(worker, lease, to);
    if (room > 0) giveWay(worker, lease, to, room);
    return room;
  }

  private void giveWay(Worker worker, Worker.Held lease, JobDemand to, long room) {
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

  /** Those of the lowest priority first, then of whoever has most. */
  private List<Worker.Held> goingLowestFirst(Worker worker, JobDemand job) {
    return worker.held().stream().filter(h -> mayGo(h, job)).sorted(standing).toList();
  }

  /**
   * Where what gives way stands lowest; among equals in an order that changes with the job, so that
   * it is not always the same who gives way.
   */
  private List<Worker> mostToTake(JobDemand job) {
    var lowest = new HashMap<String, Worker.Held>();
    for (var worker : clusterSnapshot.workers())
      if (!worker.held().isEmpty() && !keptWorkerPlanner.isKept(worker) && suits(worker, job))
        worker.held().stream()
            .filter(h -> mayGo(h, job))
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
        ? "job %s has its turn before".formatted(to.name())
        : "job %s belongs to somebody who has less".formatted(to.name());
  }
}
