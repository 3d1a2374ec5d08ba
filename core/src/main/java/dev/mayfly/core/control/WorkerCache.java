package dev.mayfly.core.control;

import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Stored;
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
  private record Seen(Stored<Worker> worker, Instant at, Instant since) {}

  private final Deck deck;
  private final String cluster;
  private final OrdersWriter orders;
  private final Map<String, Seen> workers = new LinkedHashMap<>();
  private Instant swept = Instant.EPOCH;

  WorkerCache(Deck deck, String cluster, OrdersWriter orders) {
    this.deck = deck;
    this.cluster = cluster;
    this.orders = orders;
  }

  /**
   * The worker that reports, as it was read a while ago, unless the report shows that another
   * instance has changed its leases since: by old orders it would kill what it was just given, or
   * begin again what it gave back.
   */
  Optional<Stored<Worker>> seen(SyncReport report) {
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
  private boolean same(Seen seen, Optional<Stored<Worker>> now) {
    return now.map(Stored::version).filter(seen.worker().version()::equals).isPresent()
        && !Pause.over(seen.since(), KEPT, deck.clock().instant());
  }

  private void renew(String worker) {
    orders.forget(worker);
    var now = deck.clock().instant();
    synchronized (this) {
      workers.computeIfPresent(worker, (_, seen) -> new Seen(seen.worker(), seen.at(), now));
    }
  }

  private boolean fresh(Seen seen) {
    return !Pause.over(seen.at(), deck.rules().workerFresh(), deck.clock().instant());
  }

  /** Nothing is kept of workers that went elsewhere, or for ever. */
  private void sweep() {
    var now = deck.clock().instant();
    if (!Pause.over(swept, KEPT, now)) return;
    swept = now;
    workers.values().removeIf(seen -> Pause.over(seen.at(), KEPT, now));
    orders.keepOnly(Set.copyOf(workers.keySet()));
  }

  static Set<LeaseRef> refs(Worker worker) {
    return worker.held().stream().map(Worker.Held::ref).collect(Collectors.toSet());
  }

  private static Set<LeaseRef> refs(SyncReport report) {
    return Stream.concat(
            report.leases().stream().map(SyncReport.Lease::ref),
            report.gang().stream().map(HostReport::lease))
        .collect(Collectors.toSet());
  }

  Optional<Stored<Worker>> read(String worker) {
    var stored = deck.ledger().read(new Key.OfWorker(cluster, worker));
    stored.ifPresentOrElse(w -> remember(worker, w), () -> forget(worker));
    return stored;
  }

  synchronized void remember(String worker, Stored<Worker> stored) {
    var now = deck.clock().instant();
    workers.merge(
        worker,
        new Seen(stored, now, now),
        (seen, next) -> new Seen(next.worker(), next.at(), seen.since()));
  }

  synchronized void forget(String worker) {
    workers.remove(worker);
  }
}
