package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.ClusterCapacity.Use;
import dev.mayfly.core.plan.capacity.ClusterInventory;
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
import java.util.Set;
import java.util.stream.Stream;

/**
 * Machines that no job of a plan has taken: those that were idle for too long, those that a gang
 * lets go, those on their way that are not needed any more, and all idle ones that a budget does
 * not allow.
 *
 * <p><b>Must:</b> keep so many as the pool's minimum ready, and so many live, within the budget;
 * leave machines of a reservation, which are paid for anyway, and all that no plan buys.
 */
final class UnneededWorkers {
  private final ClusterSnapshot clusterSnapshot;
  private final ClusterCapacity left;
  private final Map<String, String> letGo;
  private final Set<String> named;
  private final Map<Seen, Long> seen = new HashMap<>();

  private record Seen(ClusterCapacity.At at, Use use) {}

  /**
   * @param left the capacity that the jobs of the plan left
   * @param letGo by worker, why it need not be idle for long before it ends
   */
  UnneededWorkers(
      ClusterSnapshot clusterSnapshot, ClusterCapacity left, Map<String, String> letGo) {
    this.clusterSnapshot = clusterSnapshot;
    this.left = left;
    this.letGo = letGo;
    named = ClusterInventory.named(clusterSnapshot);
  }

  /**
   * @param but workers that got something to do in this plan, or wait for it
   * @param ending workers that end in this plan
   */
  List<PlanDecision.Drain> drains(Set<String> but, Set<String> ending) {
    var drains = new ArrayList<PlanDecision.Drain>();
    var others = new HashSet<>(but);
    others.addAll(ending);
    var byPool = DrainPlanner.byPool(clusterSnapshot, others);
    for (var pool : clusterSnapshot.cluster().spec().pools())
      if (DrainPlanner.isBought(pool) && pool.provisioning() != Provisioning.RESERVED)
        drain(pool, byPool.getOrDefault(pool.name(), List.of()), drains);
    drains.addAll(aboveBudget(byPool, ending, drains));
    return drains;
  }

  /**
   * Until the rest is within the budget: idle ones that no job took, those that were idle longest
   * first, then those on their way, the youngest first.
   */
  private List<PlanDecision.Drain> aboveBudget(
      Map<String, List<Worker>> byPool, Set<String> ending, List<PlanDecision.Drain> drains) {
    var over = new BudgetDrains(clusterSnapshot, ending);
    var names = new HashSet<String>();
    drains.forEach(d -> names.add(d.worker()));
    var live = byPool.values().stream().flatMap(List::stream).toList();
    live.stream().filter(w -> names.contains(w.name())).forEach(over::saves);
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
            .filter(w -> !names.contains(w.name()) && !ending.contains(w.name()))
            .sorted(
                Comparator.comparing(Worker::createdAt, Comparator.reverseOrder())
                    .thenComparing(Worker::name));
    return Stream.concat(idle, coming)
        .filter(w ->
            clusterSnapshot
                .cluster()
                .spec()
                .pool(w.pool())
                .filter(DrainPlanner::isBought)
                .isPresent())
        .filter(over::ends)
        .map(over::drain)
        .toList();
  }

  private void drain(PoolSpec pool, List<Worker> live, List<PlanDecision.Drain> into) {
    var ready =
        live.stream()
            .filter(w -> DrainPlanner.isReady(w) && !ClusterInventory.isUnfit(clusterSnapshot, w))
            .toList();
    var idle = idle(pool, ready).limit(Math.max(0, ready.size() - pool.min())).toList();
    var most = ready.size() + live.stream().filter(w -> !DrainPlanner.isReady(w)).count();
    var coming = coming(live).limit(Math.max(0, most - idle.size() - pool.min())).toList();
    into.addAll(idle);
    into.addAll(coming);
  }

  private Stream<PlanDecision.Drain> idle(PoolSpec pool, List<Worker> ready) {
    return ready.stream()
        .filter(w ->
            DrainPlanner.isSpare(clusterSnapshot, w)
                || (DrainPlanner.isIdle(w) && letGo.containsKey(w.name())))
        .sorted(Comparator.comparing(DrainPlanner::idleSince).thenComparing(Worker::name))
        .filter(w -> isUntaken(w, DrainPlanner.isSpare(clusterSnapshot, w) ? Use.SPARE : Use.IDLE))
        .map(w -> drain(w, "idle for " + HumanDuration.format(pool.idleAfter())));
  }

  /** Those that were not ordered yet first, then the youngest. */
  private Stream<PlanDecision.Drain> coming(List<Worker> live) {
    return live.stream()
        .filter(w -> !DrainPlanner.isReady(w))
        .sorted(
            Comparator.comparing((Worker w) -> !(w.state() instanceof WorkerState.Launching))
                .thenComparing(Worker::createdAt, Comparator.reverseOrder())
                .thenComparing(Worker::name))
        .filter(w -> isUntaken(w, Use.IN_FLIGHT))
        .map(w -> drain(w, "no job needs it any more"));
  }

  private PlanDecision.Drain drain(Worker worker, String why) {
    return new PlanDecision.Drain(worker.name(), letGo.getOrDefault(worker.name(), why));
  }

  /** Of the workers of one place, as many end as no job has taken. */
  private boolean isUntaken(Worker worker, Use use) {
    var at = ClusterInventory.at(worker, named);
    return seen.merge(new Seen(at, use), 1L, Long::sum) <= left.untaken(at, use);
  }
}
