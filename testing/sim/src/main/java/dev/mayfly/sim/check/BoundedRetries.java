package dev.mayfly.sim.check;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * I8: after the storm a task starts no more often than its user lets it fail, plus a few times for
 * the storm's aftermath, and no pool launches machines again and again, but for those that replace
 * machines whose life is over, and spare ones as tasks come and go. Always: no pool has more
 * workers than its maximum, booting ones included.
 */
final class BoundedRetries implements Invariant {
  /** For a lease and a machine damaged by the storm, a drain, and a preempted lease. */
  private static final int LEFTOVERS = 4;

  /** The longest pause before a zone with a stockout is tried again. */
  private static final Duration REST = Duration.ofMinutes(8);

  private final GroundTruth groundTruth;
  private final Map<String, Integer> begun = new HashMap<>();
  private final Map<String, Integer> asked = new HashMap<>();
  private final Map<String, Integer> launched = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();
  private final Map<String, Integer> largest = new HashMap<>();
  private Optional<Instant> calm = Optional.empty();

  BoundedRetries(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  /** Faults have ended. */
  void faultsEnded() {
    calm = Optional.of(groundTruth.now());
  }

  @Override
  public void began(TaskProcess process) {
    if (calm.isEmpty()) return;
    var times = begun.merge(process.task(), 1, Integer::sum);
    var job = process.attempt().lease().job();
    var allowed = failures.computeIfAbsent(job, this::failures) + LEFTOVERS;
    if (times > allowed * process.hosts() && times > (allowed + interrupted(job)) * process.hosts())
      throw new InvariantViolation(
          "I8", process + " is the start number " + times + " since the storm");
  }

  /** How many attempts of the job Mayfly ended by its own plan. */
  private int interrupted(String uid) {
    return groundTruth.all(Shard.class).stream()
        .filter(s -> s.job().equals(uid))
        .flatMap(s -> s.attempts().entrySet().stream())
        .filter(e -> e.getKey().budget() == FailureCause.Budget.PLATFORM)
        .mapToInt(e -> e.getValue().intValue())
        .sum();
  }

  private int failures(String uid) {
    return groundTruth.all(Job.class).stream()
        .filter(j -> j.uid().equals(uid))
        .mapToInt(j -> j.spec().retries().failures())
        .sum();
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.after().orElse(null) instanceof Worker worker
          && worker.provisioning() != Provisioning.STATIC) {
        if (change.before().isEmpty()) launched(worker);
        else if (change.before().get() instanceof Worker before) appeared(before, worker);
      }
  }

  private void launched(Worker worker) {
    var max = max(worker);
    var live =
        groundTruth.all(Worker.class).stream()
            .filter(w -> w.cluster().equals(worker.cluster()) && w.pool().equals(worker.pool()))
            .filter(w -> w.state().live() || w.state() instanceof WorkerState.Draining)
            .count();
    if (live > max)
      throw new InvariantViolation(
          "I8", "pool %s may have %d workers and has %d".formatted(worker.pool(), max, live));
    if (calm.isEmpty()) return;
    var rests = Duration.between(calm.get(), groundTruth.now()).dividedBy(REST);
    var most =
        largest(worker) * (LEFTOVERS + 2 * rests + lives(worker)) + LEFTOVERS + spares(worker);
    few(asked, worker, most, "was asked for");
  }

  /** Only machines that appear count; an order that produced none is free and is repeated. */
  private void appeared(Worker before, Worker worker) {
    if (calm.isEmpty()) return;
    if (before.state() instanceof WorkerState.Launching
        && (worker.state() instanceof WorkerState.Booting
            || worker.state() instanceof WorkerState.Ready))
      few(
          launched,
          worker,
          largest(worker) * (LEFTOVERS + lives(worker)) + LEFTOVERS + spares(worker),
          "was bought");
  }

  /** Machines of short life are replaced as long as work is left, at most twice in each life. */
  private long lives(Worker worker) {
    var life = worker.life().filter(Duration::isPositive);
    if (life.isEmpty()) return 0;
    return Duration.between(calm.orElseThrow(), groundTruth.now())
        .dividedBy(life.get().dividedBy(2));
  }

  /**
   * A spare machine that a task takes is followed by another, and one of both ends when it has been
   * idle for long: each may come again so often.
   */
  private long spares(Worker worker) {
    return pool(worker)
        .filter(pool -> pool.spares() > 0 && pool.idleAfter().isPositive())
        .map(pool ->
            pool.spares()
                * Duration.between(calm.orElseThrow(), groundTruth.now())
                    .dividedBy(pool.idleAfter()))
        .orElse(0L);
  }

  private static void few(Map<String, Integer> counts, Worker worker, long most, String what) {
    var times = counts.merge(worker.cluster() + "/" + worker.pool(), 1, Integer::sum);
    if (times > most)
      throw new InvariantViolation(
          "I8", "%s %s: number %d of its pool since the storm".formatted(worker, what, times));
  }

  /** The largest maximum since the storm: it may have been lowered after machines were ordered. */
  private int largest(Worker worker) {
    return largest.merge(worker.cluster() + "/" + worker.pool(), max(worker), Math::max);
  }

  private int max(Worker worker) {
    return pool(worker).map(PoolSpec::max).orElse(0);
  }

  private Optional<PoolSpec> pool(Worker worker) {
    return groundTruth.cluster(worker.cluster()).flatMap(c -> c.spec().pool(worker.pool()));
  }
}
