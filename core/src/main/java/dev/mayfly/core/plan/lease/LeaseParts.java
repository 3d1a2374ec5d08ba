package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A lease that was parted is several shards for the control plane and one lease for its agent,
 * which never learns of the parts: reports are taken apart before anything reads them, and orders
 * put together before anything sends them.
 */
public final class LeaseParts {
  private LeaseParts() {}

  /** The report with an entry for each part instead of the parted leases. */
  public static SyncReport apart(Worker worker, SyncReport report) {
    if (!hasParts(worker)) return report;
    var parts = parts(worker);
    var leases = new ArrayList<SyncReport.Lease>();
    for (var lease : report.leases()) {
      var of = parts.get(lease.ref());
      if (of == null) leases.add(lease);
      else
        for (var held : of.values())
          leases.add(within(lease, held.ref(), Optional.ofNullable(of.higherKey(held.start()))));
    }
    return report.withLeases(leases);
  }

  private static boolean hasParts(Worker worker) {
    for (var held : worker.held()) if (held.partOf().isPresent()) return true;
    return false;
  }

  /** The parts by the lease that their agent knows, and by their start. */
  private static Map<LeaseRef, TreeMap<Long, Worker.Held>> parts(Worker worker) {
    var parts = new HashMap<LeaseRef, TreeMap<Long, Worker.Held>>();
    for (var held : worker.held())
      held.partOf()
          .ifPresent(
              whole -> parts.computeIfAbsent(whole, _ -> new TreeMap<>()).put(held.start(), held));
    return parts;
  }

  /**
   * What a report says of one part.
   *
   * @param part its lease
   * @param next where the next part begins; empty for the last one
   */
  public static SyncReport.Lease within(
      SyncReport.Lease lease, LeaseRef part, Optional<Long> next) {
    var from = part.start();
    var to = Math.max(from, next.map(n -> Math.min(n, lease.end())).orElse(lease.end()));
    var running = new ArrayList<Long>();
    var startedAt = new ArrayList<Instant>();
    for (var i = 0; i < lease.running().size(); i++) {
      var index = lease.running().get(i);
      if (index < from || index >= to) continue;
      running.add(index);
      if (i < lease.startedAt().size()) startedAt.add(lease.startedAt().get(i));
    }
    return new SyncReport.Lease(
        part,
        to,
        lease.done().within(from, to),
        lease.failed().stream().filter(f -> f.index() >= from && f.index() < to).toList(),
        running,
        Math.clamp(lease.cursor(), from, to),
        lease.released(),
        startedAt,
        lease.stalled().stream().filter(s -> s.index() >= from && s.index() < to).toList(),
        lease
            .kept()
            .map(all -> all.stream().filter(k -> k.index() >= from && k.index() < to).toList()),
        lease.publishing().map(all -> all.stream().filter(i -> i >= from && i < to).toList()));
  }

  /** The orders with one entry for all parts of a lease, as its agent knows it. */
  public static List<SyncOrders.Lease> together(Worker worker, List<SyncOrders.Lease> orders) {
    if (!hasParts(worker)) return orders;
    var known = new HashMap<LeaseRef, LeaseRef>();
    for (var held : worker.held()) held.partOf().ifPresent(whole -> known.put(held.ref(), whole));
    var together = new LinkedHashMap<LeaseRef, List<SyncOrders.Lease>>();
    for (var order : orders)
      together
          .computeIfAbsent(known.getOrDefault(order.ref(), order.ref()), _ -> new ArrayList<>())
          .add(order);
    var all = new ArrayList<SyncOrders.Lease>();
    together.forEach((whole, parts) ->
        all.add(
            parts.size() == 1 && parts.getFirst().ref().equals(whole)
                ? parts.getFirst()
                : whole(whole, parts)));
    return all;
  }

  private static SyncOrders.Lease whole(LeaseRef whole, List<SyncOrders.Lease> parts) {
    var sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparingLong(p -> p.ref().start()));
    // What is in no part any more is another's: nothing of it may run or begin here.
    var skip = TaskSet.none(whole.start());
    var stop = TaskSet.none(whole.start());
    var from = whole.start();
    for (var part : sorted) {
      var gap = TaskSet.where(from, Math.max(from, part.ref().start()), _ -> true);
      skip = skip.or(gap).or(part.skip());
      stop = stop.or(gap).or(part.stop().orElseGet(() -> TaskSet.none(whole.start())));
      from = part.end();
    }
    var last = sorted.getLast();
    return new SyncOrders.Lease(
        whole,
        last.end(),
        skip,
        last.jobHash(),
        sorted.stream().anyMatch(SyncOrders.Lease::recall),
        Optional.of(stop).filter(tasks -> !tasks.isEmpty()),
        Optional.empty(),
        OutrankedTasks.together(sorted));
  }
}
