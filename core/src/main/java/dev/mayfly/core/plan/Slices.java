package dev.mayfly.core.plan;

import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Worker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What holds for TPUs beside a pool's limits, while a plan is made: the project's creations a
 * minute, and the chips of slices made by hand.
 *
 * <p>A slice by hand is asked for only when it and everything of it that is not proved gone have no
 * more chips together than it is to have: what it replaces still has the reservation's.
 */
final class Slices {
  private final Map<String, Long> chips = new HashMap<>();
  private int creations;

  Slices(View view) {
    creations = view.tpuCreations();
    for (var worker : view.workers())
      chips.merge(worker.pool(), chips(worker.machineType()), Long::sum);
    for (var pool : view.cluster().spec().pools())
      chips.merge(
          pool.name(),
          view.unknown().getOrDefault(pool.name(), 0) * chips(pool.machineType()),
          Long::sum);
  }

  /** So many of {@code wanted} as may be asked for now; why not all is a veto. */
  int may(PoolSpec pool, int wanted, List<String> vetoes) {
    if (chips(pool.machineType()) == 0) return wanted;
    var n = wanted;
    if (pool.manual()) n = (int) Math.min(n, fitting(pool));
    if (n < wanted)
      vetoes.add(
          "slice %s has %d chips, and %d of them are not back yet"
              .formatted(pool.name(), chips(pool.machineType()) * pool.max(), used(pool)));
    if (n > creations)
      vetoes.add(
          "a project asks for at most %d TPUs a minute, and %d are left of this one"
              .formatted(Creations.A_MINUTE, creations));
    return Math.max(0, Math.min(n, creations));
  }

  /** So many were decided. */
  void take(PoolSpec pool, int n) {
    var each = chips(pool.machineType());
    if (each == 0) return;
    creations -= n;
    chips.merge(pool.name(), n * each, Long::sum);
  }

  private long fitting(PoolSpec pool) {
    var each = chips(pool.machineType());
    return each == 0 ? pool.max() : Math.max(0, each * pool.max() - used(pool)) / each;
  }

  private long used(PoolSpec pool) {
    return chips.getOrDefault(pool.name(), 0L);
  }

  private static long chips(String type) {
    return TpuTypes.of(type).map(t -> (long) t.chips()).orElse(0L);
  }

  /** Workers of slices by hand that are to be others now: at once, although they work. */
  static List<Decision.Drain> reshaped(View view) {
    var drains = new ArrayList<Decision.Drain>();
    for (var worker : view.workers())
      if (worker.state().live())
        view.cluster()
            .spec()
            .pool(worker.pool())
            .filter(pool -> pool.manual() && !pool.machineType().equals(worker.machineType()))
            .map(pool ->
                "its slice has %s now, not %s".formatted(pool.machineType(), worker.machineType()))
            .ifPresent(why -> drains.add(new Decision.Drain(worker.name(), why)));
    return drains;
  }

  /**
   * Workers of slices by hand beyond their number, idle ones first, then the youngest.
   *
   * @param ending those that end anyway
   */
  static Map<String, Decision.Drain> tooMany(View view, Set<String> ending) {
    var drains = new LinkedHashMap<String, Decision.Drain>();
    for (var pool : view.cluster().spec().pools()) {
      if (!pool.manual()) continue;
      var live =
          view.workers().stream()
              .filter(w -> w.pool().equals(pool.name()) && w.state().live())
              .filter(w -> !ending.contains(w.name()))
              .sorted(
                  Comparator.comparing(Drains::isIdle)
                      .thenComparing(Worker::createdAt)
                      .thenComparing(Worker::name))
              .toList();
      var why = pool.max() == 0 ? "its slice was deleted" : "its slice has fewer now";
      for (var worker : live.subList(Math.min(pool.max(), live.size()), live.size()))
        drains.put(worker.name(), new Decision.Drain(worker.name(), why));
    }
    return drains;
  }
}
