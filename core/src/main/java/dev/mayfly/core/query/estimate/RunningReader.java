package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.lease.CountedEnds;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads which tasks of a cluster's jobs run, and when they were last heard of. */
final class RunningReader {
  private static final int MOST_SHARDS = 100;
  private static final double MILLIS = 1_000;

  private final Ledger ledger;
  private final Instant now;

  RunningReader(Ledger ledger, Instant now) {
    this.ledger = ledger;
    this.now = now;
  }

  /**
   * A task that runs.
   *
   * @param workers that run it: of a gang several
   * @param heard when it was surely not over
   * @param usdPerHour of its part of its machines; empty if a price is not known
   * @param counted how far it is by its own count, if it reports one
   * @param next when another task may follow it there
   */
  record Running(
      List<String> workers,
      Optional<Instant> since,
      Instant heard,
      Optional<Double> usdPerHour,
      Optional<Counted> counted,
      RestOfJob.Next next) {
    RestOfJob.Running at(Instant now) {
      var left = counted.flatMap(it -> it.progress.secondsLeft());
      var newest = left.isEmpty() ? heard : counted.orElseThrow().at;
      return new RestOfJob.Running(
          since.map(at -> Math.max(0, seconds(at, newest))).orElse(0.0),
          Math.max(0, seconds(newest, now)),
          left,
          next);
    }

    /** What all of it takes as fast as it counts; empty if it does not count. */
    Optional<Double> secondsOfAll() {
      return counted.flatMap(it -> it.progress.secondsOfAll());
    }

    /** One gang runs one task on several machines. */
    private Running with(Running other) {
      var all = Stream.concat(workers.stream(), other.workers.stream()).toList();
      return new Running(
          all,
          since,
          heard,
          usdPerHour.flatMap(one -> other.usdPerHour.map(another -> one + another)),
          counted.or(other::counted),
          next);
    }
  }

  /**
   * How far a task was by its own count.
   *
   * @param at when that was read on its machine; of an agent of before, written
   * @param before whether its attempt before counted so, from whose checkpoint it went on then
   */
  record Counted(TaskProgress progress, Instant at, boolean before) {}

  /** How many run at once, in words: where machines are drained or cordoned nothing new begins. */
  static String atOnce(List<Running> running) {
    var closed = running.stream().filter(it -> it.next() != RestOfJob.Next.AT_ONCE).count();
    if (closed == running.size())
      return "others run once there is room: those that run are on machines that take no more";
    var open = running.size() - closed;
    var runs = open == 1 ? "one task runs" : HumanAmounts.count(open, "task") + " run";
    return closed == 0
        ? runs + " at once as now"
        : "%s at once, without the %d on machines that are drained or cordoned"
            .formatted(runs, closed);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / MILLIS;
  }

  /**
   * What machines hold of a job.
   *
   * @param tasks that run
   * @param given by worker, how many others it has, that wait there
   */
  record Held(List<Running> tasks, Map<String, Long> given) {
    static final Held NOTHING = new Held(List.of(), Map.of());
  }

  Held of(Job job, List<Worker> machines) {
    var leased = leased(job);
    var given = new HashMap<String, Long>();
    for (var worker : machines) {
      var runs = HeldRuns.of(worker);
      for (var i = 0; i < runs.size(); i++) {
        var held = worker.held().get(i);
        var shard = leased.get(held.start());
        if (held.job().equals(job.uid()) && shard != null && !held.gang())
          given.merge(worker.name(), Math.max(0, shard.open() - runs.get(i)), Long::sum);
      }
    }
    var earlier = new EarlierCounts(ledger, job, leased.values());
    return new Held(running(job, machines, heard(leased), earlier), given);
  }

  private List<Running> running(
      Job job, List<Worker> machines, Map<Long, Instant> heard, EarlierCounts earlier) {
    var alone = new ArrayList<Running>();
    var gangs = new HashMap<Long, Running>();
    for (var worker : machines) {
      var own = new ArrayList<Running>();
      var runs = HeldRuns.of(worker);
      for (var lease = 0; lease < runs.size(); lease++) {
        var held = worker.held().get(lease);
        if (!held.job().equals(job.uid())) continue;
        var price = usdPerHour(worker, held).map(usd -> usd / held.atOnce());
        var at = heard.getOrDefault(held.start(), now);
        if (held.gang())
          gangs.merge(held.start(), running(worker, held, 0, at, price, earlier), Running::with);
        else
          for (var i = 0; i < runs.get(lease); i++)
            own.add(running(worker, held, i, at, price, earlier));
      }
      // Ranges that are nearly done are still held while the next one runs.
      var room = worker.total().slots(job.spec().resources());
      alone.addAll(own.subList(0, (int) Math.min(own.size(), Math.max(1, room))));
    }
    alone.addAll(gangs.values());
    return alone;
  }

  private Running running(
      Worker worker,
      Worker.Held held,
      int place,
      Instant heard,
      Optional<Double> price,
      EarlierCounts earlier) {
    var began = began(held, place);
    var counted =
        index(held, place)
            .flatMap(index ->
                counted(worker, held, index)
                    .or(() -> earlier.of(held.start(), index, began.orElse(heard))));
    return new Running(List.of(worker.name()), began, heard, price, counted, next(worker));
  }

  private RestOfJob.Next next(Worker worker) {
    if (worker.state() instanceof WorkerState.Draining) return RestOfJob.Next.ELSEWHERE;
    return Cordons.of(worker, now).isPresent() ? RestOfJob.Next.NEVER : RestOfJob.Next.AT_ONCE;
  }

  /** Before a report it runs the first ones of its range. */
  private static Optional<Long> index(Worker.Held held, int place) {
    if (held.running().isEmpty()) return Optional.of(held.start() + place);
    return place < held.running().size()
        ? Optional.of(held.running().get(place))
        : Optional.empty();
  }

  private static Optional<Counted> counted(Worker worker, Worker.Held held, long index) {
    if (worker.metrics().isEmpty()) return Optional.empty();
    var metrics = worker.metrics().get();
    return metrics.tasks().stream()
        .filter(task -> task.job().equals(held.job()) && task.index() == index)
        .findFirst()
        .flatMap(task ->
            TaskProgress.of(task.values())
                .map(progress -> new Counted(progress, metrics.readAt(task), false)));
  }

  /** Some of its ranges that machines have, by their start. */
  private Map<Long, Shard> leased(Job job) {
    var all = new HashMap<Long, Shard>();
    var query = new LedgerQuery.LeasedShards(job.cluster(), job.uid(), MOST_SHARDS);
    for (var stored : ledger.query(query).readableOnly())
      all.put(stored.value().start(), stored.value());
    return all;
  }

  /**
   * When the tasks of each range were last surely not over, by its start. What is done of a range
   * is written after a while, so that the newest ends are not known.
   */
  private Map<Long, Instant> heard(Map<Long, Shard> leased) {
    var all = new HashMap<Long, Instant>();
    leased.forEach((start, shard) -> all.put(start, CountedEnds.of(shard, now)));
    return all;
  }

  /** What the lease's part of the machine costs; empty if the machine's price is not known. */
  private static Optional<Double> usdPerHour(Worker worker, Worker.Held lease) {
    var parts = worker.parts();
    var sum = parts.stream().mapToDouble(MachineUsage.Part::share).sum();
    var part = parts.get(worker.held().indexOf(lease)).share();
    return worker
        .usage()
        .flatMap(MachineUsage::usdPerHour)
        .map(price -> price * part / Math.max(1, sum));
  }

  /** A range of which no running task was reported began with its lease. */
  private static Optional<Instant> began(Worker.Held held, int place) {
    if (held.running().isEmpty()) return Optional.of(held.since());
    return place < held.startedAt().size()
        ? Optional.of(held.startedAt().get(place))
        : Optional.empty();
  }
}
