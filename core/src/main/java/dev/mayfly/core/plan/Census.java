package dev.mayfly.core.plan;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Capacity.Room;
import dev.mayfly.core.plan.Capacity.Use;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a cluster has, before anything is decided.
 *
 * @param capacity whole workers, like ones as one row; those that are to end are left out
 * @param counted workers of each pool that count towards its maximum
 * @param live workers of each pool that count towards its minimum
 * @param placed tasks of each job that are known to run, whose room is not in {@code capacity}
 */
record Census(
    Capacity capacity,
    Map<String, Integer> counted,
    Map<String, Integer> live,
    Map<String, Long> placed) {

  static Census of(View view, Map<String, Decision.Drain> ending) {
    var counted = new HashMap<>(view.unknown());
    var live = new HashMap<>(view.unknown());
    var placed = new HashMap<String, Long>();
    var rooms = new LinkedHashMap<Room, Long>();
    var pinned = pinned(view);
    for (var worker : view.workers()) {
      var state = worker.state();
      if (state.live() || state instanceof WorkerState.Draining)
        counted.merge(worker.pool(), 1, Integer::sum);
      if (!state.live() || ending.containsKey(worker.name())) continue;
      live.merge(worker.pool(), 1, Integer::sum);
      rooms.merge(room(view, worker, pinned), 1L, Long::sum);
      for (var held : worker.held()) placed.merge(held.job(), atOnce(held), Long::sum);
    }
    return new Census(capacity(rooms), counted, live, placed);
  }

  /** Workers that some job names. */
  static Set<String> pinned(View view) {
    return view.jobs().stream()
        .flatMap(j -> j.place().workers().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  static Capacity.At at(Worker worker, Set<String> pinned) {
    var name = pinned.contains(worker.name()) ? worker.name() : "";
    return new Capacity.At(worker.pool(), worker.zone(), name);
  }

  private static Room room(View view, Worker worker, Set<String> pinned) {
    var use =
        switch (worker.state()) {
          case WorkerState.Ready r when r.idleSince().isEmpty() || !worker.held().isEmpty() ->
              Use.BUSY;
          case WorkerState.Ready r -> Drains.isSpare(view, worker) ? Use.SPARE : Use.IDLE;
          default -> Use.IN_FLIGHT;
        };
    return new Room(at(worker, pinned), free(view, worker), use, 1, slice(worker));
  }

  private static boolean slice(Worker worker) {
    return !TpuTypes.isOneHost(worker.machineType());
  }

  private static Resources free(View view, Worker worker) {
    if (slice(worker) && !worker.held().isEmpty()) return Resources.ZERO;
    var free = total(view, worker);
    for (var held : worker.held()) free = free.minus(held.need().times(atOnce(held)));
    return free;
  }

  /** How many tasks of a lease run at once, as far as the ledger knows: at least one. */
  static long atOnce(Worker.Held held) {
    return Math.max(1, held.running().size());
  }

  /** As its agent said, or as the pool promises while it has not spoken. */
  private static Resources total(View view, Worker worker) {
    if (worker.state() instanceof WorkerState.Ready) return worker.total();
    var pool = view.cluster().spec().pool(worker.pool());
    return pool.isPresent() ? pool.get().visible() : worker.total();
  }

  private static Capacity capacity(Map<Room, Long> rooms) {
    List<Room> all = new ArrayList<>();
    rooms.forEach((r, n) -> all.add(new Room(r.at(), r.free(), r.use(), n, r.slice())));
    all.sort(Comparator.comparing(Room::use));
    return new Capacity(all);
  }
}
