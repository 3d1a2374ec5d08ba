package dev.mayfly.core.sync;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The syncs of a slice's hosts beyond the first. They get no leases of their own: their orders are
 * the gangs of their slice, and they wait for those.
 */
final class HostSyncs {
  private static final int MAX_TRIES = 10;

  private record PendingHostSync(SyncReport report, Consumer<SyncOrders> reply) {}

  private final Context context;
  private final HeartbeatLog heartbeats;
  private final OrdersBuilder orders;
  private final GangReportBatcher gangs;
  private final SliceReadiness slices;
  private final Map<HostId, PendingHostSync> waiting = new LinkedHashMap<>();
  private Map<String, Instant> lastSignalled = Map.of();

  HostSyncs(
      Context context, HeartbeatLog heartbeats, OrdersBuilder orders, GangReportBatcher gangs) {
    this.context = context;
    this.heartbeats = heartbeats;
    this.orders = orders;
    this.gangs = gangs;
    slices = new SliceReadiness(context.ledger(), context.clock());
  }

  /** See {@link SyncService#sync}. */
  void sync(SyncReport report, Consumer<SyncOrders> reply) {
    var worker = accept(report);
    if (worker.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    gangs.record(worker.get(), report);
    var now = context.clock().instant();
    var wait = wait(worker.get(), report);
    var pending = new PendingHostSync(report, reply);
    // It is pending before its orders are built, so that no change in between is missed.
    put(pending).ifPresent(older -> older.reply().accept(written(older)));
    recordDue(
        report,
        now.plus(
            wait.compareTo(context.timings().syncInterval()) > 0
                ? wait
                : context.timings().syncInterval()));
    var written = writtenOnArrival(pending);
    if (!orders.hasNews(written, report) && wait.isPositive())
      context.executor().callAt(now.plus(wait), () -> expire(pending));
    else if (take(pending)) reply(pending, written);
  }

  /** If the ledger cannot be reached, the sync is not kept: the exception is its only answer. */
  private SyncOrders writtenOnArrival(PendingHostSync pending) {
    try {
      return write(pending.report());
    } catch (UnavailableException noLedger) {
      if (take(pending)) throw noLedger;
      return orders.unchanged(pending.report());
    }
  }

  private Duration wait(Worker worker, SyncReport report) {
    var most =
        worker.held().isEmpty() ? context.timings().maxWait() : context.timings().syncInterval();
    return waitTime(report, most);
  }

  private static Duration waitTime(SyncReport report, Duration most) {
    var waitTime = Duration.ofSeconds(Math.max(0, report.waitSeconds()));
    return waitTime.compareTo(most) < 0 ? waitTime : most;
  }

  private void recordDue(SyncReport report, Instant due) {
    heartbeats.record(report.sender().toString(), due);
  }

  /** Answers a sync that no newer one replaced, otherwise the newer one's due time counts. */
  private void reply(PendingHostSync pending, SyncOrders written) {
    if (!written.fenced()) recordDue(pending.report(), due(pending, written));
    pending.reply().accept(written);
  }

  /** As of a first host, see {@link ClusterSession}. */
  private Instant due(PendingHostSync pending, SyncOrders written) {
    if (!written.gang().isEmpty()) return written.due();
    var kept =
        context.clock().instant().plus(waitTime(pending.report(), context.timings().maxWait()));
    return kept.isAfter(written.due()) ? kept : written.due();
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  private synchronized Optional<PendingHostSync> put(PendingHostSync pending) {
    return Optional.ofNullable(waiting.put(pending.report().sender(), pending));
  }

  private synchronized boolean take(PendingHostSync pending) {
    return waiting.remove(pending.report().sender(), pending);
  }

  private synchronized List<PendingHostSync> of(String worker) {
    return waiting.values().stream().filter(w -> w.report().worker().equals(worker)).toList();
  }

  private void expire(PendingHostSync pending) {
    if (take(pending)) reply(pending, written(pending));
  }

  private SyncOrders written(PendingHostSync pending) {
    try {
      return write(pending.report());
    } catch (UnavailableException noLedger) {
      return orders.unchanged(pending.report());
    }
  }

  /** A change signal names the workers that were changed or whose run advanced. */
  void accept(ChangeSignal changeSignal) {
    var changed = new ArrayList<String>();
    synchronized (this) {
      for (var at : changeSignal.workers().entrySet())
        if (!at.getValue().equals(lastSignalled.get(at.getKey()))) changed.add(at.getKey());
      lastSignalled = changeSignal.workers();
    }
    changed.stream().sorted().forEach(this::changed);
  }

  private void changed(String worker) {
    for (var pending : of(worker))
      try {
        var written = write(pending.report());
        if (orders.hasNews(written, pending.report()) && take(pending)) reply(pending, written);
      } catch (UnavailableException later) {
        // The sync keeps waiting and is answered at its end at the latest.
      }
  }

  private SyncOrders write(SyncReport report) {
    var worker = context.ledger().read(new DocumentKey.OfWorker(report.cluster(), report.worker()));
    if (worker.isEmpty()) return orders.fenced(report);
    var host = context.ledger().read(key(report)).map(VersionedDocument::value);
    if (IncarnationCheck.of(worker.get().value(), host, report) == IncarnationCheck.FENCED)
      return orders.fenced(report);
    return orders.build(worker.get().value(), report);
  }

  private static DocumentKey.OfHost key(SyncReport report) {
    return new DocumentKey.OfHost(report.cluster(), report.worker(), report.host());
  }

  /** The worker with the host's changes stored; empty if the agent must kill everything. */
  private Optional<Worker> accept(SyncReport report) {
    try {
      return admitted(report);
    } catch (UnreadableDocumentException unknown) {
      // The host is alive: an unreadable document must not make its slice lost.
      recordDue(report, context.clock().instant().plus(context.timings().syncInterval()));
      throw unknown;
    }
  }

  private Optional<Worker> admitted(SyncReport report) {
    var checksReadiness = false;
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var worker =
          context.ledger().read(new DocumentKey.OfWorker(report.cluster(), report.worker()));
      if (worker.isEmpty() || report.host() >= SliceHosts.count(worker.get().value()))
        return Optional.empty();
      var host = context.ledger().read(key(report));
      switch (IncarnationCheck.of(
          worker.get().value(), host.map(VersionedDocument::value), report)) {
        case FENCED -> {
          return Optional.empty();
        }
        case OVERTAKEN -> {
          return Optional.of(worker.get().value());
        }
        case NEW, KNOWN -> {}
      }
      var written = write(worker.get(), host, report);
      if (written.isEmpty()) continue;
      checksReadiness |= checksReadiness(written.get().value(), host, report);
      if (!checksReadiness) return written.map(VersionedDocument::value);
      var ready = slices.update(report.cluster(), report.worker());
      if (ready.isPresent()) return ready.map(VersionedDocument::value);
    }
    throw new UnavailableException(
        "worker " + report.worker() + " is being changed concurrently; retry");
  }

  /** Each new host checks; host 1 always checks, because the last host may have died in between. */
  private static boolean checksReadiness(
      Worker worker, Optional<VersionedDocument<WorkerHost>> before, SyncReport report) {
    var known = before.map(b -> b.value().incarnation()).filter(report.incarnation()::equals);
    return SliceReadiness.awaited(worker) && (known.isEmpty() || report.host() == 1);
  }

  /** Empty if another writer changed a document in between. */
  private Optional<VersionedDocument<Worker>> write(
      VersionedDocument<Worker> storedWorker,
      Optional<VersionedDocument<WorkerHost>> before,
      SyncReport report) {
    var now = context.clock().instant();
    var was = before.map(VersionedDocument::value);
    var host =
        new WorkerHost(
            report.cluster(),
            report.worker(),
            report.host(),
            report.incarnation(),
            report.seq(),
            was.map(WorkerHost::firstSyncAt).orElse(now),
            report.drained(),
            report.machineProblem());
    var next = next(storedWorker.value(), report, now);
    var same = was.filter(w -> same(w, host)).isPresent();
    if (same && next.equals(storedWorker.value())) return Optional.of(storedWorker);
    var ledgerWrites = new ArrayList<LedgerWrite>();
    if (!next.equals(storedWorker.value()))
      ledgerWrites.add(new LedgerWrite.Update(next, storedWorker.version()));
    ledgerWrites.add(
        before
            .<LedgerWrite>map(b -> new LedgerWrite.Update(host, b.version()))
            .orElseGet(() -> new LedgerWrite.Create(host)));
    ledgerWrites.add(
        new LedgerWrite.Signal(report.cluster(), now, false, List.of(report.worker())));
    if (!(context.ledger().commit(ledgerWrites) instanceof CommitResult.Done done))
      return Optional.empty();
    return Optional.of(
        next.equals(storedWorker.value())
            ? storedWorker
            : new VersionedDocument<>(next, done.versions().getFirst()));
  }

  private static boolean same(WorkerHost a, WorkerHost b) {
    return a.incarnation().equals(b.incarnation())
        && a.drained() == b.drained()
        && a.machineProblem().equals(b.machineProblem());
  }

  private Worker next(Worker worker, SyncReport report, Instant now) {
    var next = worker;
    if (report.notice().isPresent() && worker.notice().isEmpty()) {
      var preempted =
          new WorkerEvent.PreemptionNoticed(now, now.plus(context.timings().noticeDeadline()));
      next = next.withNotice(report.notice().get());
      next = next.with(WorkerLifecycle.on(next.state(), preempted).next());
    }
    return next;
  }
}
