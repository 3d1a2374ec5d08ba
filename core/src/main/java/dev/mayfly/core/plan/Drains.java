package dev.mayfly.core.plan;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which workers are to end, and why. */
final class Drains {
  private static final Duration AHEAD = Duration.ofMinutes(15);

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

  /** Workers that are not what the spec asks for any more, or near the end of their life. */
  static Map<String, Decision.Drain> unwanted(View view) {
    var drains = Rolling.drains(view);
    for (var worker : view.workers())
      if (worker.state().live())
        view.cluster()
            .spec()
            .pool(worker.pool())
            .filter(pool -> !pool.manual() && pool.provisioning() != Provisioning.STATIC)
            .flatMap(pool -> old(view, pool, worker))
            .ifPresent(why -> drains.put(worker.name(), new Decision.Drain(worker.name(), why)));
    Slices.reshaped(view).forEach(drain -> drains.put(drain.worker(), drain));
    drains.putAll(Slices.tooMany(view, drains.keySet()));
    return drains;
  }

  /** Ahead of the end of its life, so that what runs can finish. */
  private static Optional<String> old(View view, PoolSpec pool, Worker worker) {
    var quarter = pool.life().dividedBy(4);
    var ahead = quarter.compareTo(AHEAD) < 0 ? quarter : AHEAD;
    var end = worker.createdAt().plus(pool.life());
    if (view.now().isBefore(end.minus(ahead))) return Optional.empty();
    return Optional.of("its life of %s is nearly over".formatted(Spans.say(pool.life())));
  }

  static boolean isIdle(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Ready r -> r.idleSince().isPresent() && worker.held().isEmpty();
      default -> true;
    };
  }

  /** Whether it has been idle for longer than its pool allows. */
  static boolean isSpare(View view, Worker worker) {
    if (!(worker.state() instanceof WorkerState.Ready ready) || !isIdle(worker)) return false;
    if (worker.provisioning() == Provisioning.STATIC) return false;
    var pool = view.cluster().spec().pool(worker.pool());
    return pool.isPresent()
        && !ready.idleSince().orElseThrow().plus(pool.get().idleAfter()).isAfter(view.now());
  }

  /**
   * Workers that were idle for too long and that nobody needs, the longest first, down to the
   * minimum.
   */
  static List<Decision> idle(View view, Capacity left, Set<String> ending) {
    var live = new HashMap<String, Long>();
    var pinned = Census.pinned(view);
    var spare = new HashMap<String, List<Worker>>();
    for (var worker : view.workers()) {
      if (!worker.state().live() || ending.contains(worker.name())) continue;
      live.merge(worker.pool(), 1L, Long::sum);
      if (isSpare(view, worker))
        spare.computeIfAbsent(worker.pool(), _ -> new ArrayList<>()).add(worker);
    }
    var drains = new ArrayList<Decision>();
    for (var pool : view.cluster().spec().pools()) {
      var seen = new HashMap<Capacity.At, Long>();
      var above = live.getOrDefault(pool.name(), 0L) - pool.min();
      spare.getOrDefault(pool.name(), List.of()).stream()
          .sorted(Comparator.comparing(Drains::idleSince).thenComparing(Worker::name))
          .filter(w -> notTaken(w, pinned, left, seen))
          .limit(Math.max(0, above))
          .map(w -> new Decision.Drain(w.name(), "idle for " + Spans.say(pool.idleAfter())))
          .forEach(drains::add);
    }
    return drains;
  }

  /** Of the workers of one place, as many are drained as no job has taken. */
  private static boolean notTaken(
      Worker worker, Set<String> pinned, Capacity left, Map<Capacity.At, Long> seen) {
    var at = Census.at(worker, pinned);
    return seen.merge(at, 1L, Long::sum) <= left.spare(at);
  }

  private static Instant idleSince(Worker worker) {
    return worker.state() instanceof WorkerState.Ready r
        ? r.idleSince().orElse(r.since())
        : worker.createdAt();
  }
}
