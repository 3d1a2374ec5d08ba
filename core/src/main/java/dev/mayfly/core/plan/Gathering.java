package dev.mayfly.core.plan;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Capacity.Use;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Workers for gangs: n of one pool that are ready, have nothing to do and stay. A worker that runs
 * a part of a gang runs nothing else.
 */
final class Gathering {
  private final View view;
  private final Map<String, List<Worker>> idle = new LinkedHashMap<>();
  private final List<Decision> gathered = new ArrayList<>();
  private final List<Decision> givenUp = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  /**
   * @param ending workers that are to end
   */
  Gathering(View view, Set<String> ending) {
    this.view = view;
    for (var worker : view.workers())
      if (worker.state() instanceof WorkerState.Ready
          && Drains.isIdle(worker)
          && !ending.contains(worker.name())
          && TpuTypes.isOneHost(worker.machineType()))
        idle.computeIfAbsent(worker.pool(), _ -> new ArrayList<>()).add(worker);
  }

  /** Whether a task of the job was given to workers of the pool: as many as its gang has. */
  boolean gather(Demand job, PoolSpec pool) {
    var fit = fit(job, pool);
    if (fit.size() < job.gang()) return false;
    var members = fit.subList(0, job.gang());
    var told = members.stream().map(Worker::name).toList();
    gathered.add(new Decision.Gather(job.job(), told));
    names.addAll(told);
    idle.getOrDefault(pool.name(), List.of()).removeAll(List.copyOf(members));
    return true;
  }

  /**
   * How many workers of the pool the job may count on for its next gangs: idle ones that were too
   * few, and those that are coming.
   *
   * @param left the capacity that jobs before it have left
   */
  long waiting(Demand job, PoolSpec pool, Capacity left) {
    var coming =
        left.rooms().stream()
            .filter(r -> r.use() == Use.IN_FLIGHT && r.at().pool().equals(pool.name()))
            .filter(r -> job.place().zone(r.at().zone()))
            .mapToLong(Capacity.Room::count)
            .sum();
    return fit(job, pool).size() + coming;
  }

  /**
   * Lets go what has waited for the rest of the job's gang for longer than the pool lets a machine
   * be idle: it costs money, and the zones may not have the rest for days. The whole gang is asked
   * for again when they may be asked.
   *
   * @param most as many of them, so that the pool keeps its minimum
   */
  void giveUp(Demand job, PoolSpec pool, long most) {
    var why =
        "waited %s for the rest of a gang of %d, which cannot be had now"
            .formatted(Spans.say(pool.idleAfter()), job.gang());
    var spare = fit(job, pool).stream().filter(w -> Drains.isSpare(view, w)).limit(most).toList();
    for (var worker : spare) {
      givenUp.add(new Decision.Drain(worker.name(), why));
      names.add(worker.name());
    }
    if (!spare.isEmpty()) idle.getOrDefault(pool.name(), List.of()).removeAll(spare);
  }

  private List<Worker> fit(Demand job, PoolSpec pool) {
    return idle.getOrDefault(pool.name(), List.of()).stream()
        .filter(w -> job.place().allows(w) && w.total().fits(job.need()))
        .toList();
  }

  List<Decision> decisions() {
    return List.copyOf(gathered);
  }

  List<Decision> givenUp() {
    return List.copyOf(givenUp);
  }

  /** The workers that were given something, or are given up. */
  List<String> workers() {
    return List.copyOf(names);
  }
}
