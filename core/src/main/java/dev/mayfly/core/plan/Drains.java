package dev.mayfly.core.plan;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which workers are to end whatever the jobs need, and why. */
final class Drains {
  private Drains() {}

  /**
   * Everything of a cluster that goes; one that drains already is asked again, for a shorter
   * deadline.
   */
  static List<Decision> all(View view) {
    return view.workers().stream()
        .filter(w -> w.state().live() || w.state() instanceof WorkerState.Draining)
        .map(w -> (Decision) new Decision.Drain(w.name(), "the cluster is taken down"))
        .toList();
  }

  /**
   * Workers that are not what the spec asks for any more, are more than it allows, can run no task,
   * or are near the end of their life.
   */
  static Map<String, Decision.Drain> unwanted(View view) {
    var drains = Rolling.drains(view);
    for (var worker : view.workers())
      if (worker.state().live())
        view.cluster()
            .spec()
            .pool(worker.pool())
            .filter(Drains::isBought)
            .flatMap(_ -> unfit(view, worker))
            .ifPresent(drain -> drains.put(worker.name(), drain));
    drains.putAll(EndOfLife.drains(view, drains.keySet()));
    Slices.reshaped(view).forEach(drain -> drains.put(drain.worker(), drain));
    drains.putAll(Slices.tooMany(view, drains.keySet()));
    for (var pool : view.cluster().spec().pools())
      if (isBought(pool)) drains.putAll(tooMany(view, pool, drains.keySet()));
    return drains;
  }

  /** Whether its machines come and go as a plan says: not by hand, and not their owner's. */
  static boolean isBought(PoolSpec pool) {
    return !pool.manual() && pool.provisioning() != Provisioning.STATIC;
  }

  private static Optional<Decision.Drain> unfit(View view, Worker worker) {
    if (!Census.isUnfit(view, worker) || !isIdle(worker)) return Optional.empty();
    return worker
        .unfit()
        .map(lacks -> new Decision.Drain(worker.name(), "it can run no task: " + lacks));
  }

  /**
   * Workers beyond the pool's maximum, which was lowered: those that are not there yet and the idle
   * ones first, then those with the fewest leases, the youngest of them. What runs may go on for as
   * long as when the pool is replaced.
   */
  private static Map<String, Decision.Drain> tooMany(View view, PoolSpec pool, Set<String> ending) {
    var drains = new LinkedHashMap<String, Decision.Drain>();
    var live =
        view.workers().stream()
            .filter(w -> w.pool().equals(pool.name()) && w.state().live())
            .filter(w -> !ending.contains(w.name()))
            .sorted(
                Comparator.comparing((Worker w) -> isReady(w) && !Census.isUnfit(view, w))
                    .thenComparing(w -> !isIdle(w))
                    .thenComparing(w -> w.held().size())
                    .thenComparing(Worker::createdAt, Comparator.reverseOrder())
                    .thenComparing(Worker::name))
            .toList();
    var until = Optional.of(view.now().plus(view.cluster().spec().rollout().within()));
    for (var w : live.subList(0, Math.max(0, live.size() - pool.max())))
      drains.put(
          w.name(), new Decision.Drain(w.name(), "workers.max is " + pool.max() + " now", until));
    return drains;
  }

  static boolean isReady(Worker worker) {
    return worker.state() instanceof WorkerState.Ready;
  }

  static boolean isIdle(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Ready r -> r.idleSince().isPresent() && worker.held().isEmpty();
      default -> true;
    };
  }

  /**
   * Whether it has been idle for longer than its pool allows. One from a reservation, which is paid
   * for anyway, may be idle for ever.
   */
  static boolean isSpare(View view, Worker worker) {
    if (!(worker.state() instanceof WorkerState.Ready ready) || !isIdle(worker)) return false;
    if (worker.provisioning() == Provisioning.STATIC
        || worker.provisioning() == Provisioning.RESERVED) return false;
    var pool = view.cluster().spec().pool(worker.pool());
    return pool.isPresent()
        && !ready.idleSince().orElseThrow().plus(pool.get().idleAfter()).isAfter(view.now());
  }

  static Instant idleSince(Worker worker) {
    return worker.state() instanceof WorkerState.Ready r
        ? r.idleSince().orElse(r.since())
        : worker.createdAt();
  }

  /** By pool, in the order of the workers. */
  static Map<String, List<Worker>> byPool(View view, Set<String> but) {
    var pools = new HashMap<String, List<Worker>>();
    for (var worker : view.workers())
      if (worker.state().live() && !but.contains(worker.name()))
        pools.computeIfAbsent(worker.pool(), _ -> new ArrayList<>()).add(worker);
    return pools;
  }
}
