package dev.mayfly.core.control;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes an agent's orders from its worker document, and knows whether they are worth an answer
 * now.
 */
final class OrdersWriter {
  /** A lease as the ledger had it: what the agent must know of it. */
  private record View(long end, Bits skip) {}

  private final Deck deck;
  private final JobCache jobs;
  private final Map<String, Map<LeaseRef, View>> views = new HashMap<>();
  private final Map<String, Instant> drains = new HashMap<>();
  private long era;

  OrdersWriter(Deck deck, JobCache jobs) {
    this.deck = deck;
    this.jobs = jobs;
  }

  SyncOrders fenced(SyncReport report) {
    var now = deck.clock().instant();
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(deck.rules().beat()),
        List.of(),
        List.of(),
        Optional.empty(),
        true,
        List.of());
  }

  SyncOrders write(Worker worker, SyncReport report) {
    return write(worker, report, new HashMap<>());
  }

  /**
   * The same for one of many workers.
   *
   * @param read the jobs that were read for others since the last of the grants was written
   */
  SyncOrders write(Worker worker, SyncReport report, Map<String, Optional<Job>> read) {
    var now = deck.clock().instant();
    var known = views(worker);
    var told = new HashSet<LeaseRef>();
    report.leases().forEach(l -> told.add(l.ref()));
    var leases = new ArrayList<SyncOrders.Lease>();
    var specs = new LinkedHashMap<String, JobSheet>();
    for (var held : worker.held()) {
      var view = known.get(held.ref());
      if (view == null) continue;
      // A lease that the agent hears of now was granted by a job read before: one that was stopped
      // meanwhile comes with its recall, and so nothing of it ever starts.
      var job =
          told.contains(held.ref())
              ? jobs.job(held.job())
              : read.computeIfAbsent(held.job(), jobs::again);
      var sheet = job.flatMap(jobs::sheet);
      var hash = sheet.map(JobSheet::hash).orElse("");
      leases.add(
          new SyncOrders.Lease(
              held.ref(), view.end(), view.skip(), hash, !job.map(Job::running).orElse(false)));
      if (!report.knows().contains(hash)) sheet.ifPresent(s -> specs.put(hash, s));
    }
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(deck.rules().beat()),
        leases,
        List.copyOf(specs.values()),
        drain(worker),
        false,
        List.of());
  }

  /** Without the ledger an agent is told what it said: nothing changes for it. */
  SyncOrders unchanged(SyncReport report) {
    var now = deck.clock().instant();
    var same =
        report.leases().stream()
            .map(l -> new SyncOrders.Lease(l.ref(), l.end(), l.done(), "", false))
            .toList();
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(deck.rules().beat()),
        same,
        List.of(),
        Optional.empty(),
        false,
        List.of());
  }

  private static Optional<Instant> drain(Worker worker) {
    return switch (worker.state()) {
      case WorkerState.Draining d -> Optional.of(d.deadline());
      case WorkerState.Drained d -> Optional.of(d.since());
      default -> Optional.empty();
    };
  }

  /** Whether the orders tell the agent anything that its report shows it doesn't know. */
  synchronized boolean news(SyncOrders orders, SyncReport report) {
    if (orders.fenced() || !orders.specs().isEmpty()) return true;
    if (orders.drain().isPresent()
        && !report.drained()
        && !orders.drain().get().equals(drains.put(report.worker(), orders.drain().get())))
      return true;
    var reported = new HashMap<LeaseRef, SyncReport.Lease>();
    report.leases().forEach(l -> reported.put(l.ref(), l));
    var ordered = new HashSet<LeaseRef>();
    for (var lease : orders.leases()) {
      ordered.add(lease.ref());
      var has = reported.get(lease.ref());
      if (has == null || has.end() != lease.end() || (lease.recall() && !has.released()))
        return true;
    }
    return !ordered.containsAll(reported.keySet());
  }

  /** The leases as they were just granted: they need not be read. */
  synchronized void granted(String worker, List<Shard> shards) {
    var map = views.computeIfAbsent(worker, w -> new HashMap<>());
    for (var s : shards) map.put(ref(s), view(s));
  }

  /** The worker's shards may have changed: they are read again. */
  synchronized void forget(String worker) {
    views.remove(worker);
    era++;
  }

  /** Nothing is remembered of workers but these. */
  synchronized void keepOnly(Set<String> workers) {
    views.keySet().retainAll(workers);
    drains.keySet().retainAll(workers);
  }

  /** No lock is held while shards are read: what is forgotten meanwhile is not remembered. */
  private Map<LeaseRef, View> views(Worker worker) {
    var refs = worker.held().stream().map(Worker.Held::ref).collect(Collectors.toSet());
    var views = new HashMap<LeaseRef, View>();
    long begun;
    synchronized (this) {
      var known = this.views.computeIfAbsent(worker.name(), w -> new HashMap<>());
      known.keySet().retainAll(refs);
      views.putAll(known);
      begun = era;
    }
    var missing =
        worker.held().stream()
            .filter(h -> !views.containsKey(h.ref()))
            .map(h -> new Key.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    if (missing.isEmpty()) return views;
    for (var stored : deck.ledger().readAll(missing))
      views.put(ref(stored.value()), view(stored.value()));
    remember(worker.name(), views, begun);
    return views;
  }

  private synchronized void remember(String worker, Map<LeaseRef, View> read, long begun) {
    if (begun == era) views.computeIfAbsent(worker, w -> new HashMap<>()).putAll(read);
  }

  private static LeaseRef ref(Shard shard) {
    return new LeaseRef(shard.job(), shard.start(), shard.epoch());
  }

  private static View view(Shard shard) {
    return new View(shard.end(), shard.done().or(shard.failed()));
  }
}
