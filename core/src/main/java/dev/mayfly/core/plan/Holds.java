package dev.mayfly.core.plan;

import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
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
 * Workers that are kept until enough of their room is free: for a task that is larger than what
 * falls free at once, which smaller ones would take for ever, and for gangs.
 *
 * <p><b>Must:</b> keep a worker for one job at a time, and for none whose turn comes after that of
 * another that waits for the same pool; count on no lease that does not give way.
 *
 * <p><b>Goals</b>, first to last: the workers that were kept for the job before; those where the
 * fewest tasks have to end.
 */
final class Holds {
  /** So long a job waits for chance. */
  static final Duration AFTER = Duration.ofMinutes(3);

  /** Workers that are kept at once for single tasks of one job of a higher priority. */
  static final int MOST = 8;

  /** Jobs for which every worker is looked at in one plan. */
  private static final int LOOKS = 16;

  private final View view;
  private final Shares shares;
  private final Set<String> ending;
  private final Set<String> held = new HashSet<>();
  private final Map<String, List<Demand>> waiting = new HashMap<>();
  private int looks;

  Holds(View view, Shares shares, Set<String> ending) {
    this.view = view;
    this.shares = shares;
    this.ending = ending;
  }

  /** Whether what is kept for the keeper may be used by the job. */
  static boolean leaves(Demand keeper, Demand job) {
    return job.job().equals(keeper.job())
        || job.standing().priority() > keeper.standing().priority();
  }

  /** The job found too little room in these pools: no later one may keep workers of them. */
  void waits(Demand job, List<String> pools) {
    for (var pool : pools) waiting.computeIfAbsent(pool, _ -> new ArrayList<>()).add(job);
  }

  /** Whether a job whose turn is before waits for workers of the pool, and does not give way. */
  boolean isAsked(String pool, Demand job) {
    return waiting.getOrDefault(pool, List.of()).stream()
        .anyMatch(w -> !w.job().equals(job.job()) && !shares.givesWay(w, job));
  }

  /** What this plan gives to gangs, or keeps. */
  Set<String> held() {
    return held;
  }

  void hold(Worker worker) {
    held.add(worker.name());
  }

  boolean isHeld(Worker worker) {
    return held.contains(worker.name());
  }

  /** Whether the lease ends for the job's sake, once what has begun of it is over. */
  boolean goes(Worker.Held lease, Demand job) {
    return !lease.gang()
        && shares
            .job(lease)
            .filter(v -> shares.givesWay(v, job) || shares.isYounger(v, job))
            .isPresent();
  }

  /** Workers to be kept for single tasks of the job, which found no room. */
  List<Worker> forTasks(Demand job, Set<String> pools) {
    if (view.now().isBefore(job.waiting().since().plus(AFTER)) || looks >= LOOKS) return List.of();
    looks++;
    var kept = new ArrayList<Worker>();
    var most = Math.min(MOST, job.ready());
    for (var worker : candidates(job, pools)) {
      // Among equals one worker at a time is enough: what it runs gives the others time.
      if (!kept.isEmpty() && (kept.size() >= most || !isAbove(job, worker))) break;
      kept.add(worker);
      hold(worker);
    }
    return kept;
  }

  private List<Worker> candidates(Demand job, Set<String> pools) {
    return view.workers().stream()
        .filter(w -> pools.contains(w.pool()) && suits(w, job) && mayBeCleared(w, job))
        .sorted(byEffort(job))
        .toList();
  }

  /** The least work to end first; what was kept before stays. */
  static Comparator<Worker> byEffort(Demand job) {
    return Comparator.comparing((Worker w) -> !job.waiting().kept().contains(w.name()))
        .thenComparing(w -> w.held().stream().mapToLong(Census::atOnce).sum())
        .thenComparing(Worker::name);
  }

  /** Whether the worker could run a task of the job if it had nothing else to do. */
  boolean suits(Worker worker, Demand job) {
    return worker.state() instanceof WorkerState.Ready
        && TpuTypes.isOneHost(worker.machineType())
        && worker.unfit().isEmpty()
        && !ending.contains(worker.name())
        && !isHeld(worker)
        && worker.mayRun(job.place())
        && worker.total().fits(job.need());
  }

  /**
   * Whether a task fits once leases that give way are over, but neither now nor as soon as one task
   * of them ends, for then it has its turn by itself. What was kept for it stays until then.
   */
  private boolean mayBeCleared(Worker worker, Demand job) {
    var was = job.waiting().kept().contains(worker.name());
    if (!was && (Census.free(view, worker).fits(job.need()) || oneIsEnough(worker, job)))
      return false;
    return Census.left(worker, h -> goes(h, job) ? 0 : Census.atOnce(h)).fits(job.need());
  }

  private boolean oneIsEnough(Worker worker, Demand job) {
    for (var one : worker.held()) {
      if (!goes(one, job)) continue;
      var left = Census.left(worker, h -> Census.atOnce(h) - (h.equals(one) ? 1 : 0));
      if (left.fits(job.need())) return true;
    }
    return false;
  }

  /** Whether all that runs there gives way, and has a lower priority. */
  boolean isAboveAll(Demand job, Worker worker) {
    return worker.held().stream().allMatch(h -> goes(h, job)) && isAbove(job, worker);
  }

  private boolean isAbove(Demand job, Worker worker) {
    return worker.held().stream()
        .filter(h -> goes(h, job))
        .flatMap(h -> shares.job(h).stream())
        .allMatch(v -> v.standing().priority() < job.standing().priority());
  }

  /** What was kept for the job and is free for it now: it has only to be granted. */
  List<Worker> free(Demand job) {
    if (job.ready() == 0 || job.waiting().kept().isEmpty()) return List.of();
    var free =
        view.workers().stream()
            .filter(w -> job.waiting().kept().contains(w.name()))
            .filter(w -> suits(w, job) && Census.free(view, w).fits(job.need()))
            .toList();
    free.forEach(this::hold);
    return free;
  }

  /**
   * When what has to end on the workers is over at the latest; empty if some of it may run for
   * ever.
   */
  Optional<Instant> until(List<Worker> workers, Demand job) {
    var latest = view.now();
    for (var worker : workers)
      for (var lease : worker.held()) {
        if (job.gang() <= 1 && !goes(lease, job)) continue;
        var longest = shares.job(lease).flatMap(j -> j.waiting().longest());
        if (longest.isEmpty()) return Optional.empty();
        var end = lease.since().plus(longest.get());
        if (end.isAfter(latest)) latest = end;
      }
    return Optional.of(latest).filter(view.now()::isBefore);
  }
}
