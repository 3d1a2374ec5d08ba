package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import dev.mayfly.sim.check.money.MonthTruth;
import dev.mayfly.sim.observation.GroundTruth;
import java.time.Duration;
import java.util.HashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is true of a reason, by the cloud and the stored documents alone: not by what the planner
 * remembers or counts.
 *
 * @param snapshot of the reason
 */
record ReasonTruth(GroundTruth groundTruth, ClusterSnapshot snapshot) {
  private static final double PRICE_TOLERANCE = 1e-6;

  /** Refusals are remembered for half an hour, after an outage that delayed their discovery. */
  private static final Duration LATELY = Duration.ofMinutes(90);

  boolean holds(ZoneVeto.Refused veto) {
    var refusals = groundTruth.fleet().refusals();
    return switch (veto.cause()) {
      case STOCK -> refusals.lackedStock(veto.zone(), veto.at(), LATELY);
      case QUOTA -> refusals.lackedQuota(veto.place(), veto.at(), LATELY);
      case SPEC, UNCLEAR -> true;
    };
  }

  /** What the same plan buys for others before is paid for too, within the budget. */
  boolean holds(PoolVeto.OverBudget veto) {
    var budget = snapshot.cluster().spec().hourlyBudget().orElseThrow();
    var pool = snapshot.cluster().spec().pool(veto.pool()).orElseThrow();
    var spent =
        snapshot.workers().stream()
            .mapToDouble(
                w -> budget.price(w.machineType(), w.provisioning()).orElseGet(budget::highest))
            .sum();
    var price = budget.price(pool.machineType(), pool.provisioning()).orElseThrow();
    return veto.usdPerHour() == budget.usdPerHour()
        && Math.abs(veto.price() - veto.machines() * price) < PRICE_TOLERANCE
        && veto.cost() > spent - PRICE_TOLERANCE
        && veto.cost() < Math.max(spent, budget.usdPerHour()) + PRICE_TOLERANCE
        && veto.cost() + veto.price() > budget.usdPerHour() + PRICE_TOLERANCE;
  }

  /** What the same plan buys for others before is paid for too. */
  boolean holds(PoolVeto.OverMonth veto) {
    var truth = new MonthTruth(groundTruth, snapshot.cluster());
    var hours = veto.atLeast().toSeconds() / 3_600.0;
    return veto.usdPerMonth() == snapshot.cluster().spec().usdPerMonth().orElseThrow()
        && Math.abs(veto.spent() - truth.spent()) < PRICE_TOLERANCE
        && veto.usdPerHour() > truth.usdPerHour() - PRICE_TOLERANCE
        && veto.spent() + (veto.usdPerHour() + veto.price()) * hours > veto.usdPerMonth();
  }

  /** Some of it may be counted, and never all. */
  boolean holds(ClusterVeto.MonthUnknown veto) {
    var truth = new MonthTruth(groundTruth, snapshot.cluster());
    return veto.usdPerMonth() == snapshot.cluster().spec().usdPerMonth().orElseThrow()
        && veto.atLeast() < truth.spent() + PRICE_TOLERANCE
        && !truth.isReadable();
  }

  boolean holds(LimitVeto.OfJob veto, JobDemand job) {
    var leased = leased(j -> j.uid().equals(job.job()));
    return veto.leased() == leased && leased >= veto.concurrency();
  }

  boolean holds(LimitVeto.OfOwner veto) {
    var leased = leased(j -> j.running() && j.spec().owner().orElse("").equals(veto.owner()));
    var most = snapshot.cluster().spec().limit().of(veto.owner());
    return veto.leased() == leased
        && most.filter(limit -> limit == veto.most()).isPresent()
        && leased + veto.before() >= veto.most();
  }

  private long leased(Predicate<Job> which) {
    var jobs =
        groundTruth.all(Job.class).stream()
            .filter(j -> j.cluster().equals(snapshot.cluster().uid()))
            .filter(which)
            .map(Job::uid)
            .collect(Collectors.toSet());
    return groundTruth.all(Shard.class).stream()
        .filter(s -> jobs.contains(s.job()) && s.state() == Shard.State.LEASED)
        .mapToLong(Shard::open)
        .sum();
  }

  /** By owner, what workers hold of the jobs of the priority. */
  boolean holds(JobVeto.Shares veto) {
    var owners = new HashMap<String, String>();
    var running = new HashMap<String, Long>();
    for (var job : snapshot.jobs())
      if (job.standing().priority() == veto.priority()) {
        owners.put(job.job(), job.standing().owner());
        running.put(job.standing().owner(), 0L);
      }
    for (var worker : snapshot.workers())
      for (var held : worker.held())
        if (owners.containsKey(held.job()))
          running.merge(
              owners.get(held.job()),
              Math.max(1, held.running().isEmpty() ? held.slots() : held.running().size()),
              Long::sum);
    var told = new HashMap<String, Long>();
    for (var owner : veto.owners()) told.put(owner.owner(), owner.running());
    return running.equals(told);
  }

  /** Each of them is ready, and what runs there leaves room for a task. */
  boolean holds(ComingVeto.NextReport veto, JobDemand job) {
    return veto.workers().stream()
        .allMatch(name ->
            snapshot.workers().stream()
                .filter(w -> w.name().equals(name) && w.state() instanceof WorkerState.Ready)
                .anyMatch(w -> hasRoom(w, job)));
  }

  private static boolean hasRoom(Worker worker, JobDemand job) {
    var room = worker.total();
    for (var held : worker.held())
      room = room.minus(held.need().times(Math.max(1, held.running().size())));
    return room.cpuMillis() >= job.need().cpuMillis()
        && room.memoryBytes() >= job.need().memoryBytes();
  }

  /** Those that are launched for it now come too. */
  boolean holds(JobVeto.Gathering veto, JobDemand job) {
    return veto.machines() % job.gang() == 0
        && veto.free() + veto.coming() + veto.busy() <= veto.machines()
        && veto.free() <= there(veto, w -> w.held().isEmpty() && w.unfit().isEmpty())
        && veto.busy() <= there(veto, w -> !w.held().isEmpty());
  }

  private long there(JobVeto.Gathering veto, Predicate<Worker> which) {
    return snapshot.workers().stream()
        .filter(w -> w.pool().equals(veto.pool()) && w.zone().equals(veto.zone()))
        .filter(w -> w.state() instanceof WorkerState.Ready)
        .filter(which)
        .count();
  }

  boolean holds(PoolVeto.GangAtMaximum veto, JobDemand job) {
    var most = snapshot.cluster().spec().first(veto.pool()).max();
    return veto.max() == most && veto.gang() == job.gang() && veto.has() < veto.gang();
  }
}
