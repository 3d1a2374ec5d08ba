package dev.mayfly.core.sync;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.ElapsedTime;
import dev.mayfly.core.state.SyncContext;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The worker documents that one instance read a while ago, for one cluster. */
final class WorkerCache {
  private static final Duration KEPT = Duration.ofMinutes(10);

  /**
   * @param since when its shards were read anew
   */
  private record Seen(VersionedDocument<Worker> worker, Instant at, Instant since) {}

  private final SyncContext syncContext;
  private final String cluster;
  private final OrdersBuilder orders;
  private final Map<String, Seen> workers = new LinkedHashMap<>();
  private Instant swept = Instant.EPOCH;

  WorkerCache(SyncContext syncContext, String cluster, OrdersBuilder orders) {
    this.syncContext = syncContext;
    this.cluster = cluster;
    this.orders = orders;
  }

  /**
   * The worker that reports, as it was read a while ago, unless the report shows that another
   * instance has changed its leases since: by old orders it would kill what it was just given, or
   * begin again what it gave back.
   */
  Optional<VersionedDocument<Worker>> get(SyncReport report) {
    Optional<Seen> known;
    synchronized (this) {
      sweep();
      known =
          Optional.ofNullable(workers.get(report.worker()))
              .filter(seen -> refs(seen.worker().value()).equals(refs(report)));
      if (known.filter(this::fresh).isPresent()) return known.map(Seen::worker);
    }
    var now = read(report.worker());
    if (known.filter(seen -> same(seen, now)).isEmpty()) renew(report.worker());
    return now;
  }

  /** Whoever changes a shard and not its worker pulses: its shards need not be read again. */
  private boolean same(Seen seen, Optional<VersionedDocument<Worker>> now) {
    return now.map(VersionedDocument::version).filter(seen.worker().version()::equals).isPresent()
        && !ElapsedTime.hasPassed(seen.since(), KEPT, syncContext.clock().instant());
  }

  private void renew(String worker) {
    orders.invalidate(worker);
    var now = syncContext.clock().instant();
    synchronized (this) {
      workers.computeIfPresent(worker, (_, seen) -> new Seen(seen.worker(), seen.at(), now));
    }
  }

  private boolean fresh(Seen seen) {
    return !ElapsedTime.hasPassed(
        seen.at(), syncContext.rules().workerFresh(), syncContext.clock().instant());
  }

  /** Nothing is kept of workers that went elsewhere, or for ever. */
  private void sweep() {
    var now = syncContext.clock().instant();
    if (!ElapsedTime.hasPassed(swept, KEPT, now)) return;
    swept = now;
    workers.values().removeIf(seen -> ElapsedTime.hasPassed(seen.at(), KEPT, now));
    orders.retainAll(Set.copyOf(workers.keySet()));
  }

  static Set<LeaseRef> refs(Worker worker) {
    return worker.held().stream().map(Worker.Held::ref).collect(Collectors.toSet());
  }

  private static Set<LeaseRef> refs(SyncReport report) {
    return Stream.concat(
            report.leases().stream().map(SyncReport.Lease::ref),
            report.gang().stream().map(GangReport::lease))
        .collect(Collectors.toSet());
  }

  Optional<VersionedDocument<Worker>> read(String worker) {
    var versionedDocument = syncContext.ledger().read(new DocumentKey.OfWorker(cluster, worker));
    versionedDocument.ifPresentOrElse(w -> remember(worker, w), () -> forget(worker));
    return versionedDocument;
  }

  synchronized void remember(String worker, VersionedDocument<Worker> versionedDocument) {
    var now = syncContext.clock().instant();
    workers.merge(
        worker,
        new Seen(versionedDocument, now, now),
        (seen, next) -> new Seen(next.worker(), next.at(), seen.since()));
  }

  synchronized void forget(String worker) {
    workers.remove(worker);
  }
}
