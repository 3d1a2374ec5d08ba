package dev.mayfly.core.plan.preemption;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.JobDemand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One worker's room as tasks end, in a plan in progress. */
final class WorkerRoom {
  private record Ending(LeaseRef lease, long index) {}

  private final Worker worker;
  private final Map<String, JobDemand> jobs;
  private final Instant now;
  private final Set<Ending> ending = new HashSet<>();
  private final List<Resources> promised = new ArrayList<>();

  /**
   * @param jobs the running ones, by uid
   */
  WorkerRoom(Worker worker, Map<String, JobDemand> jobs, Instant now) {
    this.worker = worker;
    this.jobs = jobs;
    this.now = now;
    for (var held : worker.held())
      for (var it : OutrankedTasks.pending(held, now))
        ending.add(new Ending(held.ref(), it.index()));
  }

  Worker worker() {
    return worker;
  }

  /** Whether something there ends without this plan. */
  boolean isComing(JobDemand taker) {
    return !ending.isEmpty() || worker.held().stream().anyMatch(held -> goes(held, taker));
  }

  /**
   * Whether a lease goes that ends no running task of it: its job is being stopped, or nothing of
   * it is known to have started and it gives way.
   */
  private boolean goes(Worker.Held held, JobDemand taker) {
    var job = jobs.get(held.job());
    if (held.gang()) return false;
    if (job == null) return true;
    return OutrankedTasks.isYoung(held, now) && isBelow(job, taker) && !job.standing().exclusive();
  }

  static boolean isBelow(JobDemand job, JobDemand taker) {
    return job.standing().priority() < taker.standing().priority();
  }

  /** Gives room for one task of the taker, as it will be, to it; false if there is none. */
  boolean promise(JobDemand taker) {
    if (!left(taker, List.of()).fits(taker.need())) return false;
    promised.add(taker.need());
    return true;
  }

  /** Decides that these tasks end, for one task of the taker. */
  void end(Victims victims, JobDemand taker) {
    for (var task : victims.tasks()) ending.add(new Ending(task.lease(), task.index()));
    promised.add(taker.need());
  }

  /**
   * Whose end makes room for one task of the taker; empty if nobody's does.
   *
   * @param shared whether the room that is free now may be promised to others
   */
  Optional<Victims> victims(JobDemand taker, List<Victims.Task> candidates, boolean shared) {
    var open =
        candidates.stream()
            .filter(task -> !ending.contains(new Ending(task.lease(), task.index())))
            .toList();
    var needed = Victims.needed(open, some -> makesRoom(taker, some, shared));
    return needed.isEmpty() ? Optional.empty() : Optional.of(new Victims(worker.name(), needed));
  }

  private boolean makesRoom(JobDemand taker, List<Victims.Task> some, boolean shared) {
    if (!left(taker, some).fits(taker.need())) return false;
    var freed = some.stream().map(Victims.Task::need).reduce(Resources.ZERO, Resources::plus);
    return !shared || freed.covers(taker.need());
  }

  private long runs(Worker.Held held) {
    return held.running().isEmpty() && !OutrankedTasks.isYoung(held, now) ? 1 : held.atOnce();
  }

  /** What is left when all that ends has ended, and these too. */
  private FreeResources left(JobDemand taker, List<Victims.Task> more) {
    var gone = new HashMap<LeaseRef, Long>();
    for (var it : ending) gone.merge(it.lease(), 1L, Long::sum);
    for (var task : more) gone.merge(task.lease(), 1L, Long::sum);
    var left =
        ClusterInventory.left(
            worker, held -> goes(held, taker) ? 0 : runs(held) - gone.getOrDefault(held.ref(), 0L));
    for (var need : promised) left = left.without(need, 1);
    return left;
  }
}
