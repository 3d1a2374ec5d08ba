package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
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

  /** Less would be gone between two ticks, and leave tasks no time for their grace. */
  private static final Duration LEAST_AHEAD = Duration.ofSeconds(150);

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
        for (var leaving : plan.chosen(pool)) drains.put(leaving.worker().name(), leaving.drain());
    return drains;
  }

  /**
   * A machine near the end of its life.
   *
   * @param at when it leaves if nothing delays it
   */
  private record Leaving(Worker worker, MachineLife life, Instant at) {
    static Leaving of(Worker worker, MachineLife life) {
      return new Leaving(worker, life, leaveTime(worker, life));
    }

    /** Running tasks may use all the remaining time. */
    PlanDecision.Drain drain() {
      return new PlanDecision.Drain(worker.name(), life.ending(), Optional.of(life.deadline()));
    }
  }

  private List<Leaving> chosen(PoolSpec pool) {
    var workers =
        clusterSnapshot.workers().stream().filter(w -> w.pool().equals(pool.name())).toList();
    var due =
        workers.stream()
            .filter(w -> w.state().live() && !ending.contains(w.name()))
            .flatMap(w ->
                MachineLife.of(clusterSnapshot.cluster(), w).map(l -> Leaving.of(w, l)).stream())
            .filter(l -> !clusterSnapshot.now().isBefore(l.at()))
            .sorted(Comparator.comparing(Leaving::at).thenComparing(l -> l.worker().name()))
            .toList();
    if (due.isEmpty()) return due;
    var chosen = new ArrayList<Leaving>();
    var left = RollingReplacement.allowance(clusterSnapshot, workers);
    left -= (int) workers.stream().filter(w -> ending.contains(w.name())).count();
    var replaceable =
        zoneAvailability.bestZone(
            clusterSnapshot.cluster(), pool, Placement.ANYWHERE::allowsZone, _ -> 0);
    for (var leaving : due) {
      var early = clusterSnapshot.now().isBefore(lastChance(leaving.life()));
      if (early && (left <= 0 || replaceable.isEmpty() || pinned.contains(leaving.worker().name())))
        continue;
      chosen.add(leaving);
      left--;
    }
    return chosen;
  }

  private static Instant lastChance(MachineLife machine) {
    var life = machine.life();
    var ahead = shorter(longer(life.dividedBy(4), LEAST_AHEAD), life.dividedBy(2));
    return machine.end().minus(shorter(ahead, AHEAD));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Derived from the worker's name, so that all plans agree. */
  private static Instant leaveTime(Worker worker, MachineLife life) {
    var spread = shorter(life.life().dividedBy(TENTH), WIDEST);
    var part = (worker.name().hashCode() * 0x9e3779b9) >>> 16;
    return lastChance(life).minus(spread.multipliedBy(part).dividedBy(1 << 16));
  }
}
