package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Running tasks that end for a higher priority, as their agent and their lease have them. */
public final class OutrankedTasks {
  /** Within this time of its grant a lease tells what it runs, or goes back. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private OutrankedTasks() {}

  /** The tasks of a lease that are to end or have ended so. */
  public static TaskSet of(Worker.Held held) {
    var tasks = TaskSet.none(held.start());
    for (var one : held.outranked().orElse(List.of())) tasks = tasks.with(one.index());
    return tasks;
  }

  /** The lease, of which more tasks are to end. */
  public static Worker.Held ending(Worker.Held held, List<Outranked> more) {
    var all =
        Stream.concat(held.outranked().stream().flatMap(List::stream), more.stream()).toList();
    return new Worker.Held(
        held.job(),
        held.start(),
        held.epoch(),
        held.need(),
        held.since(),
        held.running(),
        held.gang(),
        held.slots(),
        held.startedAt(),
        held.stalled(),
        held.partOf(),
        held.kept(),
        Optional.of(all),
        held.lostBefore());
  }

  /**
   * The tasks of a lease that run as far as is known. One with a single task is not recorded as
   * begun: its task runs when the lease has settled.
   */
  public static List<Long> running(Worker.Held held, Instant now) {
    return held.running().isEmpty() && !isYoung(held, now) && !held.gang()
        ? List.of(held.start())
        : held.running();
  }

  /** Whether nothing is known yet of what it runs, and soon will be. */
  public static boolean isYoung(Worker.Held held, Instant now) {
    return held.running().isEmpty() && held.since().plus(SETTLED).isAfter(now);
  }

  /** Those that are to end and run yet. */
  public static List<Outranked> pending(Worker.Held held, Instant now) {
    var running = running(held, now);
    return held.outranked().orElse(List.of()).stream()
        .filter(it -> running.contains(it.index()))
        .toList();
  }

  /**
   * Whether the worker's room is left to a job of that priority: none below that for which tasks
   * are ending there.
   */
  public static boolean isOpenTo(Worker worker, int priority, Instant now) {
    return worker.held().stream()
        .flatMap(held -> pending(held, now).stream())
        .allMatch(it -> priority >= it.priority());
  }

  /** The order with those of its lease among the tasks to stop. */
  public static SyncOrders.Lease ordered(SyncOrders.Lease order, Worker.Held held) {
    if (held.outranked().isEmpty()) return order;
    var stop = order.stop().map(tasks -> tasks.or(of(held))).orElseGet(() -> of(held));
    return new SyncOrders.Lease(
        order.ref(),
        order.end(),
        order.skip(),
        order.jobHash(),
        order.recall(),
        Optional.of(stop),
        order.item(),
        held.outranked());
  }

  /** Those of all parts of a lease. */
  public static Optional<List<Outranked>> together(List<SyncOrders.Lease> parts) {
    var all =
        parts.stream().flatMap(part -> part.outranked().stream().flatMap(List::stream)).toList();
    return Optional.of(all).filter(some -> !some.isEmpty());
  }

  /** By lease, the tasks that go back on their own: those that users retried, and those. */
  public static Map<LeaseRef, TaskSet> goingBack(Worker worker, Map<LeaseRef, TaskSet> retried) {
    var all = new HashMap<>(retried);
    for (var held : worker.held())
      if (held.outranked().isPresent()) all.merge(held.ref(), of(held), TaskSet::or);
    return all;
  }
}
