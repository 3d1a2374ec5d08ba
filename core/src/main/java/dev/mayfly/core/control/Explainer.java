package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says why a job is where it is, from what is stored. */
final class Explainer {
  private final Ledger ledger;
  private final InstantSource clock;

  Explainer(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  Explanation explain(Cluster cluster, Job job) {
    var totals = job.totals().orElseGet(() -> ledger.totals(job.key()));
    var reasons = new ArrayList<Explanation.Reason>();
    var queue = List.<String>of();
    if (job.state() instanceof JobState.Running) {
      var rows = turns(job);
      queue = TurnReasons.ahead(rows, job);
      if (totals.ready() > 0) waiting(cluster, job, rows, reasons);
      if (totals.leased() > 0) running(job, totals, reasons);
    }
    // Of a job that went well it is history, which its attempts tell.
    if (!wentWell(job)) failing(job, reasons);
    var events =
        ledger
            .query(new Query.Events(cluster.uid(), Optional.of("job/" + job.spec().name()), 10))
            .stream()
            .map(Stored::value)
            .toList();
    return new Explanation(job.spec().name(), summary(job, totals), reasons, queue, events);
  }

  private String summary(Job job, Totals totals) {
    var now = clock.instant();
    var counts =
        "%,d of %,d tasks done, %,d leased, %,d waiting, %,d failed for good"
            .formatted(
                totals.done(), job.tasks(), totals.leased(), totals.ready(), totals.failed());
    return switch (job.state()) {
      case JobState.Expanding e ->
          "its tasks are being listed: %,d so far, for %s"
              .formatted(e.counted(), length(job.acceptedAt(), now));
      case JobState.Running r -> counts + ", running for " + length(job.acceptedAt(), now);
      case JobState.Stopping s ->
          "stopping since " + length(s.since(), now) + " (" + s.by() + "): " + counts;
      case JobState.Finishing f -> "every task ended; outputs are compared with their sentinels";
      case JobState.Ended e ->
          Views.word(e)
              + " "
              + ago(e.since(), now)
              + " after "
              + length(job.acceptedAt(), e.since())
              + ": "
              + e.reason();
    };
  }

  private List<Turns.Row> turns(Job job) {
    return ledger.read(new Key.OfTurns(job.cluster())).map(t -> t.value().rows()).orElse(List.of());
  }

  private void waiting(
      Cluster cluster, Job job, List<Turns.Row> rows, List<Explanation.Reason> reasons) {
    var workers =
        ledger.query(new Query.Workers(cluster.uid(), false, 2_000)).stream()
            .map(Stored::value)
            .toList();
    var place = job.spec().place();
    Whereabouts.explain(place, cluster.spec()).ifPresent(reasons::add);
    for (var text : Whereabouts.rollouts(cluster, workers, clock.instant()))
      reasons.add(new Explanation.Reason("rollout", text));
    reasons.addAll(new UrgentReasons(ledger, clock.instant()).of(cluster, job, workers));
    for (var pool : cluster.spec().pools()) {
      if (!place.someZone(pool)) continue;
      if (!pool.visible().fits(job.spec().resources())) continue;
      pool(
          job,
          pool,
          workers.stream().filter(w -> w.pool().equals(pool.name()) && place.allows(w)).toList(),
          reasons);
    }
    reasons.addAll(GangReasons.waiting(cluster, job, workers));
    reasons.addAll(TurnReasons.of(rows, job, workers));
  }

  private void pool(
      Job job, PoolSpec pool, List<Worker> workers, List<Explanation.Reason> reasons) {
    var now = clock.instant();
    var ready = workers.stream().filter(w -> w.state() instanceof WorkerState.Ready).toList();
    var booting =
        workers.stream()
            .filter(w ->
                w.state() instanceof WorkerState.Booting
                    || w.state() instanceof WorkerState.Launching)
            .toList();
    for (var worker : ready.stream().limit(5).toList()) room(job, worker, reasons);
    if (ready.size() > 5)
      reasons.add(
          new Explanation.Reason(
              "room", (ready.size() - 5) + " more workers of pool " + pool.name() + " are ready"));
    booting.stream()
        .map(w -> w.createdAt())
        .min(Instant::compareTo)
        .ifPresent(oldest ->
            reasons.add(
                new Explanation.Reason(
                    "booting",
                    "%d of pool %s are being created, the first for %s"
                        .formatted(booting.size(), pool.name(), length(oldest, now)))));
    var counted =
        workers.stream()
            .filter(w -> w.state().live() || w.state() instanceof WorkerState.Draining)
            .count();
    if (counted >= pool.max())
      reasons.add(
          new Explanation.Reason(
              "max",
              "pool %s has its most workers, %d; raise workers.max for more"
                  .formatted(pool.name(), pool.max())));
    else if (pool.provisioning() == Provisioning.STATIC)
      reasons.add(
          new Explanation.Reason(
              "join",
              "pool %s has %d of %d machines of one's own; mayfly worker join --pool %s adds one"
                  .formatted(pool.name(), counted, pool.max(), pool.name())));
    else reasons.addAll(new RefusedZones(ledger, now).reasons(job.cluster(), pool));
  }

  /** What one worker's resources are used for. */
  private void room(Job job, Worker worker, List<Explanation.Reason> reasons) {
    var users = new LinkedHashMap<String, Resources>();
    var names = new HashMap<String, String>();
    var keys =
        worker.held().stream()
            .map(h -> new Key.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    var open = new HashMap<Key<?>, Long>();
    for (var shard : ledger.readAll(keys)) open.put(shard.value().key(), shard.value().open());
    var free = worker.total();
    for (var held : worker.held()) {
      var key = new Key.OfShard(worker.cluster(), held.job(), held.start());
      var side = Math.min(open.getOrDefault(key, 1L), Math.max(0, free.slots(held.need())));
      var uses = held.need().times(side);
      free = free.minus(uses);
      users.merge(held.job(), uses, Resources::plus);
      names.computeIfAbsent(held.job(), uid -> name(worker.cluster(), uid));
    }
    if (free.fits(job.spec().resources())) return;
    var who =
        users.entrySet().stream()
            .map(e -> names.get(e.getKey()) + " " + amount(e.getValue(), job.spec().resources()))
            .collect(Collectors.joining(", "));
    reasons.add(
        new Explanation.Reason(
            "room",
            "worker %s has %s of %s free, a task needs %s; in use: %s"
                .formatted(
                    worker.name(),
                    amount(free, job.spec().resources()),
                    amount(worker.total(), job.spec().resources()),
                    amount(job.spec().resources(), job.spec().resources()),
                    who.isEmpty() ? "nothing" : who)));
  }

  private String name(String cluster, String uid) {
    return ledger.read(new Key.OfJob(cluster, uid)).map(j -> j.value().spec().name()).orElse(uid);
  }

  private void running(Job job, Totals totals, List<Explanation.Reason> reasons) {
    var leased =
        ledger.query(new Query.LeasedShards(job.cluster(), job.uid(), 100)).stream()
            .map(Stored::value)
            .toList();
    var holders =
        leased.stream()
            .collect(
                Collectors.groupingBy(
                    s -> s.owner().map(Shard.Owner::worker).orElse("?"),
                    LinkedHashMap::new,
                    Collectors.summingLong(Shard::open)));
    var text =
        holders.entrySet().stream()
            .limit(8)
            .map(e -> e.getKey() + " (" + e.getValue() + ")")
            .collect(Collectors.joining(", "));
    reasons.add(
        new Explanation.Reason(
            "running",
            counted(totals.leased(), "task")
                + (totals.leased() == 1 ? " is leased to " : " are leased to ")
                + text));
    reasons.addAll(GangReasons.running(leased));
  }

  private static String counted(long n, String what) {
    return "%,d %s%s".formatted(n, what, n == 1 ? "" : "s");
  }

  private static boolean wentWell(Job job) {
    return job.state() instanceof JobState.Ended ended
        && ended.result() == JobState.Result.SUCCEEDED;
  }

  /** Where there was no process there is no exit code. */
  private static String words(Failure f) {
    var exit = f.exitCode() < 0 ? "" : ", exit code " + f.exitCode();
    var said = f.evidence().isBlank() ? "" : ": " + f.evidence().strip();
    return f.cause().name().toLowerCase(Locale.ROOT) + exit + said;
  }

  private void failing(Job job, List<Explanation.Reason> reasons) {
    var shards =
        ledger.query(new Query.Shards(job.cluster(), job.uid(), 0, 100)).stream()
            .map(Stored::value)
            .toList();
    Map<String, Long> causes =
        shards.stream()
            .flatMap(s -> s.evidence().stream())
            .collect(
                Collectors.groupingBy(Explainer::words, LinkedHashMap::new, Collectors.counting()));
    causes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(3)
        .forEach(e ->
            reasons.add(
                new Explanation.Reason(
                    "failing", counted(e.getValue(), "attempt") + " ended: " + e.getKey())));
  }

  /** The amounts of what {@code of} asks for, in words. */
  static String amount(Resources r, Resources of) {
    var parts = new ArrayList<String>();
    if (of.cpuMillis() > 0) parts.add(number(r.cpuMillis() / 1000.0) + " CPU");
    if (of.memoryBytes() > 0)
      parts.add(number(Math.round(r.memoryBytes() / 107374182.4) / 10.0) + " GiB");
    if (of.gpuMillis() > 0) parts.add(number(r.gpuMillis() / 1000.0) + " GPU");
    if (of.tpuChips() > 0) parts.add(r.tpuChips() + " TPU chips");
    return parts.isEmpty() ? "nothing" : String.join(", ", parts);
  }

  private static String number(double n) {
    return n == Math.rint(n) ? Long.toString((long) n) : Double.toString(n);
  }

  static String ago(Instant then, Instant now) {
    return length(then, now) + " ago";
  }

  /** A length of time as people say it: its two largest units. */
  static String length(Instant from, Instant to) {
    var s = Math.max(0, Duration.between(from, to).toSeconds());
    if (s < 60) return s + " s";
    if (s < 3_600) return s / 60 + " min" + (s % 60 == 0 ? "" : " " + s % 60 + " s");
    if (s < 86_400) return s / 3_600 + " h" + (s % 3_600 < 60 ? "" : " " + s % 3_600 / 60 + " min");
    return s / 86_400 + " d " + s % 86_400 / 3_600 + " h";
  }
}
