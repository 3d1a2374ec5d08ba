package dev.mayfly.core.query.task;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tasks of a leased shard that run, as its worker last reported them; before a report, those
 * with which the lease begins.
 *
 * @param workers that run each of them: several for a gang
 * @param holder whose lease it is, if its document is readable
 */
record RunningTasks(Map<Long, Report> tasks, List<String> workers, Optional<Worker> holder) {
  /** What is known of a running task. */
  record Report(
      Optional<Instant> startedAt,
      Optional<Map<String, Double>> metrics,
      Optional<StalledTask> stalled) {
    private static final Report NONE =
        new Report(Optional.empty(), Optional.empty(), Optional.empty());
  }

  boolean has(long index) {
    return tasks.containsKey(index);
  }

  Report of(long index) {
    return tasks.getOrDefault(index, Report.NONE);
  }

  /** Those of each leased shard, by its start. */
  static Map<Long, RunningTasks> of(Ledger ledger, List<Shard> shards) {
    var owners = new HashMap<String, DocumentKey.OfWorker>();
    for (var shard : shards)
      shard
          .owner()
          .filter(_ -> shard.state() == Shard.State.LEASED)
          .ifPresent(
              o -> owners.put(o.worker(), new DocumentKey.OfWorker(shard.cluster(), o.worker())));
    var workers = new HashMap<String, Worker>();
    if (!owners.isEmpty())
      for (var worker : ledger.readAll(owners.values()).readableOnly())
        workers.put(worker.value().name(), worker.value());
    var running = new HashMap<Long, RunningTasks>();
    for (var shard : shards)
      if (shard.state() == Shard.State.LEASED)
        shard
            .owner()
            .map(owner -> of(shard, Optional.ofNullable(workers.get(owner.worker())), owner))
            .ifPresent(tasks -> running.put(shard.start(), tasks));
    return running;
  }

  private static RunningTasks of(Shard shard, Optional<Worker> worker, Shard.Owner owner) {
    var held =
        worker.stream()
            .flatMap(w -> w.held().stream())
            .filter(h -> h.ref().equals(shard.lease()))
            .findFirst();
    var reports = worker.map(w -> metrics(shard, w)).orElse(Map.of());
    if (shard.gang().isPresent()) {
      var members = shard.gang().get().members();
      var names = members.stream().map(m -> m.host().worker()).distinct().toList();
      return new RunningTasks(
          Map.of(shard.start(), report(shard.start(), held, reports)), names, worker);
    }
    var tasks = new HashMap<Long, Report>();
    held.ifPresent(h ->
        indexes(shard, h, runs(worker.orElseThrow(), h), reports.keySet())
            .forEach(i -> tasks.put(i, report(i, held, reports))));
    return new RunningTasks(tasks, List.of(owner.worker()), worker);
  }

  private static long runs(Worker worker, Worker.Held held) {
    return HeldRuns.of(worker).get(worker.held().indexOf(held));
  }

  private static Report report(
      long index, Optional<Worker.Held> held, Map<Long, Map<String, Double>> metrics) {
    // The first tasks of a lease begin with it, and what it runs is recorded later, if at all.
    var startedAt =
        held.flatMap(h -> h.running().isEmpty() ? Optional.of(h.since()) : startedAt(h, index));
    var stalled =
        held.flatMap(h -> h.stalled().stream().filter(task -> task.index() == index).findFirst());
    return new Report(startedAt, Optional.ofNullable(metrics.get(index)), stalled);
  }

  /** The metrics of the shard's tasks, as their worker last reported them, with their time. */
  private static Map<Long, Map<String, Double>> metrics(Shard shard, Worker worker) {
    var metrics = new HashMap<Long, Map<String, Double>>();
    if (worker.metrics().isEmpty()) return metrics;
    var running = worker.metrics().get();
    for (var task : running.tasks())
      if (task.job().equals(shard.job()) && shard.has(task.index()))
        metrics.put(task.index(), TaskMetrics.readAt(task.values(), running.readAt(task)));
    return metrics;
  }

  /**
   * @param runs how many of them run, if they are not reported
   * @param reporting tasks of which metrics are known; they may be newer than the lease's own list
   */
  private static Set<Long> indexes(Shard shard, Worker.Held held, long runs, Set<Long> reporting) {
    var some = new HashSet<>(held.running());
    if (some.isEmpty())
      for (var i = shard.start(); i < shard.end() && some.size() < runs; i++)
        if (!shard.done().has(i) && !shard.failed().has(i)) some.add(i);
    some.addAll(reporting);
    return some;
  }

  /** When a running task began; empty if that is unknown. */
  private static Optional<Instant> startedAt(Worker.Held held, long index) {
    var at = held.running().indexOf(index);
    return at < 0 || at >= held.startedAt().size()
        ? Optional.empty()
        : Optional.of(held.startedAt().get(at));
  }
}
