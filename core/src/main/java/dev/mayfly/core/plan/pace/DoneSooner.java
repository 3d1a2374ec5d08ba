package dev.mayfly.core.plan.pace;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.veto.ComingVeto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * No machine is ordered for tasks that the machines there are done with before it would be ready.
 *
 * <p><b>Must:</b> hold back no order where anything is unknown: what a task takes, how long a
 * machine of the pool takes to boot, or what else is before these tasks in the queue; none for a
 * deadline; and none for longer than a boot takes: tasks that do not end as they did before make
 * what they take unknown ({@link MeasuredTasks}).
 *
 * <p>Only slots count where tasks of these jobs run, and machines on their way which are no other
 * job's. Jobs of another size or place that are served before make the rest unknown: nobody knows
 * who gets a slot that becomes free.
 */
public final class DoneSooner {
  private final ClusterSnapshot clusterSnapshot;
  private final Set<String> ending;
  private final Map<String, Long> placed;

  /**
   * @param ending workers that are about to end
   * @param placed by job, how many of its tasks run
   */
  public DoneSooner(ClusterSnapshot clusterSnapshot, Set<String> ending, Map<String, Long> placed) {
    this.clusterSnapshot = clusterSnapshot;
    this.ending = Set.copyOf(ending);
    this.placed = Map.copyOf(placed);
  }

  /** The jobs whose tasks decide whether the machines are ordered that a plan orders, by uid. */
  public static List<String> asked(ClusterSnapshot clusterSnapshot, Plan plan) {
    var ordered =
        clusterSnapshot.jobs().stream()
            .filter(job -> job.waiting().taskTime().counts())
            .filter(job ->
                plan.foundBy(job.job()).stream()
                    .anyMatch(found -> found.where() == Plan.Where.LAUNCHED))
            .toList();
    return clusterSnapshot.jobs().stream()
        .filter(job -> job.waiting().taskTime().counts())
        .filter(job -> ordered.stream().anyMatch(other -> isLike(job, other)))
        .map(JobDemand::job)
        .toList();
  }

  /** Why no machine of the pool is ordered for the job; empty if one may be. */
  public Optional<ComingVeto.DoneSooner> why(PoolSpec pool, JobDemand job) {
    var usual = BootTime.usual(pool.name(), clusterSnapshot.workers());
    if (usual.isEmpty() || job.urgency().deadline().isPresent() || job.urgency().spent() > 0)
      return Optional.empty();
    var served = servedWith(job);
    if (served.stream()
        .anyMatch(it -> !isLike(it, job) || it.waiting().taskTime().each().isEmpty()))
      return Optional.empty();
    return end(served, job)
        .filter(end -> end.time().compareTo(usual.get()) < 0)
        .map(
            end -> new ComingVeto.DoneSooner(end.tasks(), end.machines(), end.time(), usual.get()));
  }

  /** Whether their tasks take each other's slots. */
  private static boolean isLike(JobDemand job, JobDemand other) {
    return job.gang() == other.gang()
        && job.need().equals(other.need())
        && job.place().equals(other.place())
        && job.standing().exclusive() == other.standing().exclusive();
  }

  /** The job, and those whose waiting tasks may be served before its own. */
  private List<JobDemand> servedWith(JobDemand job) {
    var served = new ArrayList<JobDemand>();
    var before = true;
    for (var other : clusterSnapshot.jobs()) {
      var itself = other.job().equals(job.job());
      if (itself || (open(other) > 0 && (before || shares(other, job)))) served.add(other);
      if (itself) before = false;
    }
    return served;
  }

  private static boolean shares(JobDemand other, JobDemand job) {
    return other.standing().priority() == job.standing().priority()
        && !other.standing().owner().equals(job.standing().owner());
  }

  /** Its tasks that do not run yet. */
  private long open(JobDemand job) {
    return job.ready() + Math.max(0, job.leased() - placed.getOrDefault(job.job(), 0L));
  }

  /** When {@code tasks} are done by so many machines. */
  private record End(Duration time, long tasks, int machines) {}

  private Optional<End> end(List<JobDemand> served, JobDemand job) {
    var longest = served.stream().map(DoneSooner::each).max(Duration::compareTo).orElseThrow();
    var work = served.stream().mapToDouble(it -> seconds(each(it)) * open(it)).sum();
    var slots = new FreeSlots();
    var machines = 0;
    for (var worker : clusterSnapshot.workers()) {
      var runs = mayStay(worker, served) ? runs(worker, served) : 0;
      slots.add(runs, seconds(longest));
      var coming = runs == 0 ? coming(worker, job, served) : Optional.<Duration>empty();
      if (coming.isPresent()) slots.add(slots(worker, job.need()), seconds(coming.get()));
      if (runs > 0 || coming.isPresent()) machines++;
    }
    var tasks = served.stream().mapToLong(this::open).sum();
    var counted = machines;
    // The last task may begin when all others are done.
    return slots.done(work).map(at -> new End(duration(at).plus(longest), tasks, counted));
  }

  private static Duration each(JobDemand job) {
    return job.waiting().taskTime().each().orElseThrow();
  }

  /** Whether what becomes free there is theirs. */
  private boolean mayStay(Worker worker, List<JobDemand> served) {
    return !ending.contains(worker.name())
        && worker.notice().isEmpty()
        && ClusterInventory.takesWork(clusterSnapshot, worker)
        && clusterSnapshot.jobs().stream()
            .filter(other -> other.waiting().kept().contains(worker.name()))
            .allMatch(served::contains);
  }

  private static long runs(Worker worker, List<JobDemand> served) {
    return worker.state() instanceof WorkerState.Ready
        ? served.stream().mapToLong(it -> HeldRuns.of(worker, it.job())).sum()
        : 0;
  }

  /** In how long it is ready, if it is on its way for them and others say how long that takes. */
  private Optional<Duration> coming(Worker worker, JobDemand job, List<JobDemand> served) {
    var theirs =
        worker.nominee().stream()
            .allMatch(uid -> served.stream().anyMatch(it -> it.job().equals(uid)));
    if (!worker.state().isNew()
        || worker.state() instanceof WorkerState.Ready
        || !theirs
        || !mayStay(worker, served)
        || worker.machineProblem().isPresent()
        || !worker.mayRun(job.place())
        || !TpuTypes.isOneHost(worker.machineType())) return Optional.empty();
    var age = Duration.between(worker.createdAt(), clusterSnapshot.now());
    return BootTime.usual(worker.pool(), clusterSnapshot.workers())
        .map(usual -> usual.minus(age))
        .filter(Duration::isPositive);
  }

  private long slots(Worker worker, Resources need) {
    return clusterSnapshot
        .cluster()
        .spec()
        .pool(worker.pool())
        .map(pool -> pool.visible().slots(need))
        .orElse(0L);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis((long) Math.ceil(seconds * 1e3));
  }
}
