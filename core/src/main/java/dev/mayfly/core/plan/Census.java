package dev.mayfly.core.plan;

import dev.mayfly.core.model.FreeRoom;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Capacity.Room;
import dev.mayfly.core.plan.Capacity.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What a cluster has, before anything is decided.
 *
 * @param capacity whole workers, like ones as one row; those that are to end, and those that can
 *     run no task, are left out
 * @param counted workers of each pool that count towards its maximum
 * @param live workers of each pool that count towards its minimum
 * @param placed tasks of each job that are known to run, whose room is not in {@code capacity}
 */
record Census(
    Capacity capacity,
    Map<String, Integer> counted,
    Map<String, Integer> live,
    Map<String, Long> placed) {
  /** So long after it spoke first, what a machine lacks may still come: it is tried again. */
  private static final Duration TRIES = Duration.ofMinutes(2);

  static Census of(View view, Map<String, Decision.Drain> ending) {
    var counted = new HashMap<>(view.unknown());
    var live = new HashMap<>(view.unknown());
    var placed = new HashMap<String, Long>();
    var rooms = new LinkedHashMap<Room, Long>();
    var named = named(view);
    for (var worker : view.workers()) {
      var state = worker.state();
      if (state.live() || state instanceof WorkerState.Draining)
        counted.merge(worker.pool(), 1, Integer::sum);
      if (!state.live() || ending.containsKey(worker.name())) continue;
      live.merge(worker.pool(), 1, Integer::sum);
      if (!isUnfit(view, worker)) rooms.merge(room(view, worker, named), 1L, Long::sum);
      for (var held : worker.held()) placed.merge(held.job(), atOnce(held), Long::sum);
    }
    return new Census(new Capacity(rows(rooms), keepers(view)), counted, live, placed);
  }

  /** Whether it can run no task, and that will not mend itself. */
  static boolean isUnfit(View view, Worker worker) {
    return worker.unfit().isPresent()
        && worker.state() instanceof WorkerState.Ready ready
        && !ready.since().plus(TRIES).isAfter(view.now());
  }

  /** Workers that some job names. */
  static Set<String> pinned(View view) {
    var pinned = new HashSet<String>();
    for (var job : view.jobs()) pinned.addAll(job.place().workers());
    return pinned;
  }

  /** Workers that some job names, or that are kept for one. */
  static Set<String> named(View view) {
    var named = pinned(view);
    for (var job : view.jobs()) named.addAll(job.waiting().kept());
    return named;
  }

  private static Map<String, Demand> keepers(View view) {
    var keepers = new HashMap<String, Demand>();
    for (var job : view.jobs())
      for (var worker : job.waiting().kept()) keepers.putIfAbsent(worker, job);
    return keepers;
  }

  static Capacity.At at(Worker worker, Set<String> named) {
    var name = named.contains(worker.name()) ? worker.name() : "";
    return new Capacity.At(worker.pool(), worker.zone(), name);
  }

  private static Room room(View view, Worker worker, Set<String> named) {
    var use =
        switch (worker.state()) {
          case WorkerState.Ready r when r.idleSince().isEmpty() || !worker.held().isEmpty() ->
              Use.BUSY;
          case WorkerState.Ready r -> Drains.isSpare(view, worker) ? Use.SPARE : Use.IDLE;
          default -> Use.IN_FLIGHT;
        };
    return new Room(at(worker, named), free(view, worker), use, 1, slice(worker));
  }

  private static boolean slice(Worker worker) {
    return !TpuTypes.isOneHost(worker.machineType());
  }

  /** What its running tasks leave, as far as the ledger knows. */
  static FreeRoom free(View view, Worker worker) {
    if (slice(worker) && !worker.held().isEmpty()) return FreeRoom.of(Resources.ZERO);
    var amounts = total(view, worker);
    var free = FreeRoom.of(amounts).using(worker.gpusUsed());
    var told = !worker.gpusUsed().isEmpty();
    for (var held : worker.held()) {
      // What runs had its devices when they were told; of what came since they follow by the rule.
      if (!told || held.running().isEmpty()) free = free.without(held.need(), atOnce(held));
      amounts = amounts.minus(held.need().times(atOnce(held)));
    }
    return new FreeRoom(amounts, free.gpus());
  }

  /** What so many tasks of each of its leases would leave, on devices by the rule. */
  static FreeRoom left(Worker worker, ToLongFunction<Worker.Held> tasks) {
    var free = FreeRoom.of(worker.total());
    for (var held : worker.held()) free = free.without(held.need(), tasks.applyAsLong(held));
    return free;
  }

  /** How many tasks of a lease run at once, as far as the ledger knows: at least one. */
  static long atOnce(Worker.Held held) {
    return held.atOnce();
  }

  /** As its agent said, or as the pool promises while it has not spoken. */
  private static Resources total(View view, Worker worker) {
    if (worker.state() instanceof WorkerState.Ready) return worker.total();
    var pool = view.cluster().spec().pool(worker.pool());
    return pool.isPresent() ? pool.get().visible() : worker.total();
  }

  private static List<Room> rows(Map<Room, Long> rooms) {
    List<Room> all = new ArrayList<>();
    rooms.forEach((r, n) -> all.add(new Room(r.at(), r.free(), r.use(), n, r.slice())));
    all.sort(Comparator.comparing(Room::use));
    return all;
  }
}
