package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces machines before the cloud ends them. Machines launched together would reach the end of
 * their life together, so each leaves at its own time in the last tenth of it. That wastes nothing
 * even in a full pool: a slot that stays empty until the machine's last task ends costs about as
 * much as a task cut off by the end of the machine.
 *
 * <p><b>Must:</b> drain each machine early enough for running tasks to end. Before its last chance,
 * drain only a machine that could be replaced and that no job names, and only as many of a pool at
 * once as {@link dev.mayfly.core.model.cluster.RolloutSpec#percent} allows.
 */
final class EndOfLifeDrains {
  private static final Duration AHEAD = Duration.ofMinutes(15);

  /** How long before the cloud's own deadline a machine ends by the plan. */
  private static final Duration LAST = Duration.ofMinutes(1);

  private static final int TENTH = 10;
  private static final Duration WIDEST = Duration.ofHours(2);

  private final ClusterSnapshot clusterSnapshot;
  private final Set<String> ending;
  private final Set<String> pinned;
  private final ZoneAvailability zoneAvailability;

  private EndOfLifeDrains(ClusterSnapshot clusterSnapshot, Set<String> ending) {
    this.clusterSnapshot = clusterSnapshot;
    this.ending = ending;
    pinned = ClusterInventory.pinned(clusterSnapshot);
    zoneAvailability = new ZoneAvailability(clusterSnapshot.stockouts(), clusterSnapshot.now());
  }

  /**
   * @param ending workers that end for another reason
   */
  static Map<String, PlanDecision.Drain> drains(
      ClusterSnapshot clusterSnapshot, Set<String> ending) {
    var plan = new EndOfLifeDrains(clusterSnapshot, ending);
    var drains = new LinkedHashMap<String, PlanDecision.Drain>();
    for (var pool : clusterSnapshot.cluster().spec().pools())
      if (DrainPlanner.isBought(pool))
        for (var worker : plan.chosen(pool)) drains.put(worker.name(), drain(pool, worker));
    return drains;
  }

  private static PlanDecision.Drain drain(PoolSpec pool, Worker worker) {
    var why = "its life of %s is nearly over".formatted(HumanDuration.format(pool.life()));
    // Running tasks may use all the remaining time.
    return new PlanDecision.Drain(worker.name(), why, Optional.of(end(pool, worker).minus(LAST)));
  }

  private List<Worker> chosen(PoolSpec pool) {
    var workers =
        clusterSnapshot.workers().stream().filter(w -> w.pool().equals(pool.name())).toList();
    var due =
        workers.stream()
            .filter(w -> w.state().live() && !ending.contains(w.name()))
            .filter(w -> !clusterSnapshot.now().isBefore(leaveTime(pool, w)))
            .sorted(
                Comparator.comparing((Worker w) -> leaveTime(pool, w)).thenComparing(Worker::name))
            .toList();
    if (due.isEmpty()) return due;
    var chosen = new ArrayList<Worker>();
    var left = RollingReplacement.allowance(clusterSnapshot, workers);
    left -= (int) workers.stream().filter(w -> ending.contains(w.name())).count();
    var replaceable =
        zoneAvailability.bestZone(clusterSnapshot.cluster(), pool, Placement.ANYWHERE);
    for (var worker : due) {
      var early = clusterSnapshot.now().isBefore(lastChance(pool, worker));
      if (early && (left <= 0 || replaceable.isEmpty() || pinned.contains(worker.name()))) continue;
      chosen.add(worker);
      left--;
    }
    return chosen;
  }

  private static Instant end(PoolSpec pool, Worker worker) {
    return worker.createdAt().plus(pool.life());
  }

  private static Instant lastChance(PoolSpec pool, Worker worker) {
    var quarter = pool.life().dividedBy(4);
    return end(pool, worker).minus(quarter.compareTo(AHEAD) < 0 ? quarter : AHEAD);
  }

  /**
   * When the worker leaves if nothing delays it. Derived from its name, so that all plans agree.
   */
  private static Instant leaveTime(PoolSpec pool, Worker worker) {
    var tenth = pool.life().dividedBy(TENTH);
    var spread = tenth.compareTo(WIDEST) < 0 ? tenth : WIDEST;
    var part = (worker.name().hashCode() * 0x9e3779b9) >>> 16;
    return lastChance(pool, worker).minus(spread.multipliedBy(part).dividedBy(1 << 16));
  }
}
