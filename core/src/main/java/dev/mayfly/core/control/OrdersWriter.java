package dev.mayfly.core.control;

import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.HostReport;
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
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes an agent's orders from its worker document, and knows whether they are worth an answer
 * now.
 */
final class OrdersWriter implements GrantListener {
  /** A lease as the ledger had it: what the agent must know of it. */
  private record View(long end, Bits skip) {}

  private final Deck deck;
  private final JobCache jobs;
  private final Map<String, Map<LeaseRef, View>> views = new HashMap<>();
  private final Map<String, Instant> drains = new HashMap<>();
  private long era;

  private final Gangs gangs;

  OrdersWriter(Deck deck, JobCache jobs, Gangs gangs) {
    this.gangs = gangs;
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
    var unknown = new HashSet<LeaseRef>();
    var known = report.host() == 0 ? views(worker, unknown) : Map.<LeaseRef, View>of();
    var told = new HashSet<LeaseRef>();
    report.leases().forEach(l -> told.add(l.ref()));
    var leases = new ArrayList<SyncOrders.Lease>();
    var specs = new LinkedHashMap<String, JobSheet>();
    var followed = new TreeSet<String>();
    for (var held : worker.held()) {
      var view = known.get(held.ref());
      if (view == null || held.gang()) continue;
      try {
        // A lease that the agent hears of now was granted by a job read before: one that was
        // stopped meanwhile comes with its recall, and so nothing of it ever starts.
        var job =
            told.contains(held.ref())
                ? jobs.heard(held.job())
                : read.computeIfAbsent(held.job(), jobs::again);
        var sheet = job.flatMap(jobs::sheet);
        var hash = sheet.map(JobSheet::hash).orElse("");
        leases.add(
            new SyncOrders.Lease(
                held.ref(), view.end(), view.skip(), hash, !job.map(Job::running).orElse(false)));
        sheet.ifPresent(s -> specify(s, report, specs));
        if (Follows.now(job, now)) followed.add(held.job());
      } catch (Unreadable job) {
        unknown.add(held.ref());
      }
    }
    for (var lease : report.leases()) if (unknown.contains(lease.ref())) leases.add(same(lease));
    for (var held : worker.held())
      if (held.gang() && jobs.isReadable(held.job())) {
        var job = jobs.job(held.job());
        job.flatMap(jobs::sheet).ifPresent(s -> specify(s, report, specs));
        if (Follows.now(job, now)) followed.add(held.job());
      }
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(deck.rules().beat()),
        leases,
        List.copyOf(specs.values()),
        drain(worker),
        false,
        List.copyOf(followed),
        gangs.orders(worker, report));
  }

  private static void specify(JobSheet sheet, SyncReport report, Map<String, JobSheet> specs) {
    if (!report.knows().contains(sheet.hash())) specs.put(sheet.hash(), sheet);
  }

  /** Without the ledger an agent is told what it said: nothing changes for it. */
  SyncOrders unchanged(SyncReport report) {
    var now = deck.clock().instant();
    var same = report.leases().stream().map(OrdersWriter::same).toList();
    return new SyncOrders(
        report.seq(),
        now,
        now.plus(deck.rules().beat()),
        same,
        List.of(),
        Optional.empty(),
        false,
        List.of(),
        report.gang().stream().map(Gangs::nothing).toList());
  }

  /** Of a lease about which nothing can be known now the agent hears what it said itself. */
  private static SyncOrders.Lease same(SyncReport.Lease said) {
    return new SyncOrders.Lease(said.ref(), said.end(), said.done(), "", false);
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
    if (gangNews(orders, report) || orders.fenced() || !orders.specs().isEmpty()) return true;
    if (orders.drain().isPresent()
        && !report.drained()
        && !orders.drain().get().equals(drains.put(speaker(report), orders.drain().get())))
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

  /**
   * Steps that it has not taken, or gangs that it knows and that are over. By its own word alone:
   * an answer with a step in it may have been lost.
   */
  private static boolean gangNews(SyncOrders orders, SyncReport report) {
    var known = new HashMap<LeaseRef, HostReport>();
    report.gang().forEach(g -> known.put(g.lease(), g));
    var ordered = orders.gang().stream().map(GangOrder::lease).collect(Collectors.toSet());
    return !known.keySet().equals(ordered)
        || orders.gang().stream().anyMatch(o -> !taken(o, known.get(o.lease())));
  }

  private static boolean taken(GangOrder order, @Nullable HostReport report) {
    if (report == null || order.run() > report.run()) return false;
    return order.run() < report.run() || order.step().compareTo(report.took()) <= 0;
  }

  private static String speaker(SyncReport report) {
    return report.host() == 0 ? report.worker() : report.speaker().toString();
  }

  /** The leases as they were just granted: they need not be read. */
  @Override
  public synchronized void granted(String worker, List<Shard> shards) {
    var map = views.computeIfAbsent(worker, w -> new HashMap<>());
    for (var s : shards) map.put(ref(s), view(s));
  }

  /** The worker's shards may have changed: they are read again. */
  @Override
  public synchronized void forget(String worker) {
    views.remove(worker);
    era++;
  }

  /** Nothing is remembered of workers but these. */
  synchronized void keepOnly(Set<String> workers) {
    views.keySet().retainAll(workers);
    drains.keySet().removeIf(s -> !workers.contains(s.replaceFirst("/.*", "")));
  }

  /** No lock is held while shards are read: what is forgotten meanwhile is not remembered. */
  private Map<LeaseRef, View> views(Worker worker, Set<LeaseRef> unknown) {
    var refs =
        worker.held().stream()
            .filter(h -> !h.gang())
            .map(Worker.Held::ref)
            .collect(Collectors.toSet());
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
            .filter(h -> !h.gang() && !views.containsKey(h.ref()))
            .map(h -> new Key.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    if (missing.isEmpty()) return views;
    var found = deck.ledger().readAll(missing);
    for (var stored : found.some()) views.put(ref(stored.value()), view(stored.value()));
    for (var shard : found.unreadable())
      for (var held : worker.held())
        if (new Key.OfShard(worker.cluster(), held.job(), held.start()).path().equals(shard.path()))
          unknown.add(held.ref());
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
