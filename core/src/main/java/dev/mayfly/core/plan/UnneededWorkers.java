package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.budget.BudgetDrains;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Use;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.text.HumanDuration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Machines that no job of a plan has taken: those idle for too long, those that a gang released,
 * those in flight that are no longer needed, and all idle ones above the budget.
 *
 * <p><b>Must:</b> keep the pool's minimum of ready and of live workers, and its spare ones while
 * there is work, within the budget; keep reserved machines, which are paid for anyway, cordoned
 * ones, and all machines that plans do not launch.
 */
final class UnneededWorkers {
  private final ClusterSnapshot clusterSnapshot;
  private final ClusterCapacity left;
  private final Map<String, String> released;
  private final Set<String> named;
  private final SpareMachines spareMachines;
  private final Map<Seen, Long> seen = new HashMap<>();

  private record Seen(ClusterCapacity.At at, Use use) {}

  /**
   * @param left the capacity that the plan's jobs left
   * @param released by worker, why it may end before it was idle for long
   * @param starved the jobs for which the plan found no room, by uid
   */
  UnneededWorkers(
      ClusterSnapshot clusterSnapshot,
      ClusterCapacity left,
      Map<String, String> released,
      Set<String> starved) {
    this.clusterSnapshot = clusterSnapshot;
    this.left = left;
    this.released = released;
    named = ClusterInventory.named(clusterSnapshot);
    spareMachines = new SpareMachines(clusterSnapshot, starved);
  }

  /**
   * @param excluded workers that got work in this plan, or wait for it
   * @param ending workers that end in this plan
   */
  List<PlanDecision.Drain> drains(Set<String> excluded, Set<String> ending) {
    var drains = new ArrayList<PlanDecision.Drain>();
    var others = new HashSet<>(excluded);
    others.addAll(ending);
    for (var worker : clusterSnapshot.workers())
      if (ClusterInventory.isCordoned(clusterSnapshot, worker)) others.add(worker.name());
    var byPool = DrainPlanner.byPool(clusterSnapshot, others);
    for (var pool : clusterSnapshot.cluster().spec().pools())
      if (DrainPlanner.isBought(pool) && pool.provisioning() != Provisioning.RESERVED)
        drain(pool, byPool.getOrDefault(pool.name(), List.of()), drains);
    drains.addAll(aboveBudget(byPool, ending, drains));
    return drains;
  }

  /**
   * Drains until the rest is within the budget: first idle workers that no job took, those idle
   * longest first, then those that jobs keep with the folder of a failed attempt, then workers in
   * flight, the youngest first.
   */
  private List<PlanDecision.Drain> aboveBudget(
      Map<String, List<Worker>> byPool, Set<String> ending, List<PlanDecision.Drain> drains) {
    var budgetDrains = new BudgetDrains(clusterSnapshot, ending);
    var names = new HashSet<String>();
    drains.forEach(d -> names.add(d.worker()));
    var live = byPool.values().stream().flatMap(List::stream).toList();
    live.stream().filter(w -> names.contains(w.name())).forEach(budgetDrains::saves);
    var idle =
        live.stream()
            .filter(
                w -> DrainPlanner.isReady(w) && DrainPlanner.isIdle(w) && !names.contains(w.name()))
            .sorted(Comparator.comparing(DrainPlanner::idleSince).thenComparing(Worker::name))
            .filter(
                w -> isUntaken(w, DrainPlanner.isSpare(clusterSnapshot, w) ? Use.SPARE : Use.IDLE));
    var coming =
        clusterSnapshot.workers().stream()
            .filter(w -> w.state().live() && !DrainPlanner.isReady(w))
            .filter(w -> !ClusterInventory.isCordoned(clusterSnapshot, w))
            .filter(w -> !names.contains(w.name()) && !ending.contains(w.name()))
            .sorted(
                Comparator.comparing(Worker::createdAt, Comparator.reverseOrder())
                    .thenComparing(Worker::name));
    return Stream.of(idle, keptByJobs(ending), coming)
        .flatMap(it -> it)
        .filter(w ->
            clusterSnapshot
                .cluster()
                .spec()
                .pool(w.pool())
                .filter(DrainPlanner::isBought)
                .isPresent())
        .filter(budgetDrains::ends)
        .map(budgetDrains::drain)
        .toList();
  }

  /** Machines with the folder of a failed attempt, which no person has asked for by name. */
  private Stream<Worker> keptByJobs(Set<String> ending) {
    return clusterSnapshot.workers().stream()
        .filter(w -> DrainPlanner.isReady(w) && DrainPlanner.isIdle(w))
        .filter(w -> !ending.contains(w.name()))
        .filter(w -> Cordons.of(w, clusterSnapshot.now()).filter(Cordon::isByJob).isPresent())
        .sorted(Comparator.comparing(DrainPlanner::idleSince).thenComparing(Worker::name));
  }

  private void drain(PoolSpec pool, List<Worker> live, List<PlanDecision.Drain> into) {
    var ready =
        live.stream()
            .filter(w -> DrainPlanner.isReady(w) && !ClusterInventory.isUnfit(clusterSnapshot, w))
            .toList();
    var free = SpareMachines.ready(pool, left) - spareMachines.wanted(pool);
    var mayEnd = Math.max(0, Math.min(ready.size() - pool.min(), free));
    var idle = idle(pool, ready).limit(mayEnd).toList();
    var most = ready.size() + live.stream().filter(w -> !DrainPlanner.isReady(w)).count();
    var more = Math.min(most - pool.min(), free + SpareMachines.coming(pool, left)) - idle.size();
    var coming = coming(live).limit(Math.max(0, more)).toList();
    into.addAll(idle);
    into.addAll(coming);
  }

  private Stream<PlanDecision.Drain> idle(PoolSpec pool, List<Worker> ready) {
    return ready.stream()
        .filter(w ->
            DrainPlanner.isSpare(clusterSnapshot, w)
                || (DrainPlanner.isIdle(w) && released.containsKey(w.name())))
        .sorted(Comparator.comparing(DrainPlanner::idleSince).thenComparing(Worker::name))
        .filter(w -> isUntaken(w, DrainPlanner.isSpare(clusterSnapshot, w) ? Use.SPARE : Use.IDLE))
        .map(w -> drain(w, "idle for " + HumanDuration.format(pool.idleAfter())));
  }

  /** Those not ordered yet come first, then the youngest. */
  private Stream<PlanDecision.Drain> coming(List<Worker> live) {
    return live.stream()
        .filter(w -> !DrainPlanner.isReady(w))
        .sorted(
            Comparator.comparing((Worker w) -> !(w.state() instanceof WorkerState.Launching))
                .thenComparing(Worker::createdAt, Comparator.reverseOrder())
                .thenComparing(Worker::name))
        .filter(w -> isUntaken(w, Use.IN_FLIGHT))
        .map(w -> drain(w, whyComing(w)));
  }

  /** Why nobody needs it any more may be that it never came. */
  private String whyComing(Worker worker) {
    var why = "no job needs it any more";
    return BootTime.isLate(worker, Optional.empty(), clusterSnapshot.now())
        ? BootTime.never(worker, BootTime.isStarted(worker), clusterSnapshot.now()) + "; " + why
        : why;
  }

  private PlanDecision.Drain drain(Worker worker, String why) {
    return new PlanDecision.Drain(
        worker.name(),
        new DrainReason(DrainCause.UNNEEDED, released.getOrDefault(worker.name(), why)));
  }

  /** Of the workers at one place, as many may end as no job has taken. */
  private boolean isUntaken(Worker worker, Use use) {
    var at = ClusterInventory.at(worker, named);
    return seen.merge(new Seen(at, use), 1L, Long::sum) <= left.untaken(at, use);
  }
}
