package dev.mayfly.core.sync;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.capacity.KeptFolders;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One cluster's worker documents that this instance read recently. */
final class WorkerCache {
  private static final Duration KEPT = Duration.ofMinutes(10);

  /**
   * @param since when its shards were last read
   */
  private record CachedWorker(VersionedDocument<Worker> worker, Instant at, Instant since) {}

  private final Context context;
  private final String cluster;
  private final OrdersBuilder orders;
  private final Map<String, CachedWorker> workers = new LinkedHashMap<>();
  private Instant evictedAt = Instant.EPOCH;

  WorkerCache(Context context, String cluster, OrdersBuilder orders) {
    this.context = context;
    this.cluster = cluster;
    this.orders = orders;
  }

  /**
   * The reporting worker from the cache, unless the report shows that another instance has changed
   * its leases since: with outdated orders the agent would kill what it was just given, or restart
   * what it returned. Nor while it has a folder that the cached worker does not keep, so that no
   * agent deletes one for which its machine has been kept since.
   */
  Optional<VersionedDocument<Worker>> get(SyncReport report) {
    Optional<CachedWorker> known;
    synchronized (this) {
      evict();
      known =
          Optional.ofNullable(workers.get(report.worker()))
              .filter(cached -> reportsAll(cached.worker().value(), report))
              .filter(cached -> keepsAll(cached.worker().value(), report));
      if (known.filter(this::fresh).isPresent()) return known.map(CachedWorker::worker);
    }
    var now = read(report.worker());
    if (known.filter(cached -> unchanged(cached, now)).isEmpty()) rereadShards(report.worker());
    return now;
  }

  private boolean keepsAll(Worker worker, SyncReport report) {
    return KeptFolders.keepsAll(worker, report, context.clock().instant());
  }

  /** A change of a shard alone is signalled, so shards of an unchanged worker need no read. */
  private boolean unchanged(CachedWorker cached, Optional<VersionedDocument<Worker>> now) {
    return now.map(VersionedDocument::version).filter(cached.worker().version()::equals).isPresent()
        && !ElapsedTime.hasPassed(cached.since(), KEPT, context.clock().instant());
  }

  private void rereadShards(String worker) {
    orders.invalidate(worker);
    var now = context.clock().instant();
    synchronized (this) {
      workers.computeIfPresent(
          worker, (_, cached) -> new CachedWorker(cached.worker(), cached.at(), now));
    }
  }

  private boolean fresh(CachedWorker cached) {
    return !ElapsedTime.hasPassed(
        cached.at(), context.timings().workerFresh(), context.clock().instant());
  }

  /** Forgets workers that report elsewhere or no more. */
  private void evict() {
    var now = context.clock().instant();
    if (!ElapsedTime.hasPassed(evictedAt, KEPT, now)) return;
    evictedAt = now;
    workers.values().removeIf(cached -> ElapsedTime.hasPassed(cached.at(), KEPT, now));
    orders.retainAll(Set.copyOf(workers.keySet()));
  }

  static Set<LeaseRef> refs(Worker worker) {
    return worker.held().stream().map(Worker.Held::known).collect(Collectors.toSet());
  }

  /** Whether the report names the leases that the worker has, and no other. */
  private static boolean reportsAll(Worker worker, SyncReport report) {
    if (report.gang().isEmpty() && isInOrder(worker, report)) return true;
    var reported =
        Stream.concat(
            report.leases().stream().map(SyncReport.Lease::ref),
            report.gang().stream().map(GangReport::lease));
    return refs(worker).equals(reported.collect(Collectors.toSet()));
  }

  /** Agents report leases in the order of their grants, and workers have them so. */
  private static boolean isInOrder(Worker worker, SyncReport report) {
    var held = worker.held();
    var leases = report.leases();
    if (held.size() != leases.size()) return false;
    for (var i = 0; i < held.size(); i++)
      if (!held.get(i).known().equals(leases.get(i).ref())) return false;
    return true;
  }

  Optional<VersionedDocument<Worker>> read(String worker) {
    var storedWorker = context.ledger().read(new DocumentKey.OfWorker(cluster, worker));
    storedWorker.ifPresentOrElse(w -> remember(worker, w), () -> forget(worker));
    return storedWorker;
  }

  synchronized void remember(String worker, VersionedDocument<Worker> storedWorker) {
    var now = context.clock().instant();
    workers.merge(
        worker,
        new CachedWorker(storedWorker, now, now),
        (cached, next) -> new CachedWorker(next.worker(), next.at(), cached.since()));
  }

  synchronized void forget(String worker) {
    workers.remove(worker);
  }
}
