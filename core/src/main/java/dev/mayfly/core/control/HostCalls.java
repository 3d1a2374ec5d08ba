package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerHost;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import dev.mayfly.core.worker.WorkerLifecycle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The calls of a slice's hosts beyond the first. They get no leases of their own: they are told
 * what to do in the gangs that their slice has, and wait for that.
 */
final class HostCalls {
  private static final int TRIES = 10;

  private record Kept(SyncReport report, Consumer<SyncOrders> reply) {}

  private final Deck deck;
  private final BeatBook beats;
  private final OrdersWriter orders;
  private final GangReports gangs;
  private final SliceReadiness slices;
  private final Map<HostId, Kept> waiting = new LinkedHashMap<>();
  private Map<String, Instant> pulsed = Map.of();

  HostCalls(Deck deck, BeatBook beats, OrdersWriter orders, GangReports gangs) {
    this.deck = deck;
    this.beats = beats;
    this.orders = orders;
    this.gangs = gangs;
    slices = new SliceReadiness(deck.ledger(), deck.clock());
  }

  /** See {@link SyncDesk#sync}. */
  void arrive(SyncReport report, Consumer<SyncOrders> reply) {
    var worker = hear(report);
    if (worker.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    gangs.heard(worker.get(), report);
    var now = deck.clock().instant();
    var wait = wait(worker.get(), report);
    var call = new Kept(report, reply);
    // It waits before its orders are written: what changes meanwhile is not missed.
    put(call).ifPresent(older -> older.reply().accept(written(older)));
    beat(report, now.plus(wait.compareTo(deck.rules().beat()) > 0 ? wait : deck.rules().beat()));
    var written = writtenOnArrival(call);
    if (!orders.news(written, report) && wait.isPositive())
      deck.alarms().at(now.plus(wait), () -> expire(call));
    else if (take(call)) reply(call, written);
  }

  /** If the ledger can't be reached the call is not kept: nothing answers it but the exception. */
  private SyncOrders writtenOnArrival(Kept call) {
    try {
      return write(call.report());
    } catch (Unavailable noLedger) {
      if (take(call)) throw noLedger;
      return orders.unchanged(call.report());
    }
  }

  private Duration wait(Worker worker, SyncReport report) {
    var most = worker.held().isEmpty() ? deck.rules().maxWait() : deck.rules().beat();
    return asked(report, most);
  }

  private static Duration asked(SyncReport report, Duration most) {
    var asked = Duration.ofSeconds(Math.max(0, report.waitSeconds()));
    return asked.compareTo(most) < 0 ? asked : most;
  }

  private void beat(SyncReport report, Instant due) {
    beats.due(report.speaker().toString(), due);
  }

  /** To a call whose place no newer one took: that one's due time counts. */
  private void reply(Kept call, SyncOrders written) {
    if (!written.fenced()) beat(call.report(), due(call, written));
    call.reply().accept(written);
  }

  /** As of a first host, see {@link Room}. */
  private Instant due(Kept call, SyncOrders written) {
    if (!written.gang().isEmpty()) return written.due();
    var kept = deck.clock().instant().plus(asked(call.report(), deck.rules().maxWait()));
    return kept.isAfter(written.due()) ? kept : written.due();
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  private synchronized Optional<Kept> put(Kept call) {
    return Optional.ofNullable(waiting.put(call.report().speaker(), call));
  }

  private synchronized boolean take(Kept call) {
    return waiting.remove(call.report().speaker(), call);
  }

  private synchronized List<Kept> of(String worker) {
    return waiting.values().stream().filter(w -> w.report().worker().equals(worker)).toList();
  }

  private void expire(Kept call) {
    if (take(call)) reply(call, written(call));
  }

  private SyncOrders written(Kept call) {
    try {
      return write(call.report());
    } catch (Unavailable noLedger) {
      return orders.unchanged(call.report());
    }
  }

  /** A pulse names the workers that somebody changed, or whose run was moved on. */
  void hear(Pulse pulse) {
    var changed = new ArrayList<String>();
    synchronized (this) {
      for (var at : pulse.workers().entrySet())
        if (!at.getValue().equals(pulsed.get(at.getKey()))) changed.add(at.getKey());
      pulsed = pulse.workers();
    }
    changed.stream().sorted().forEach(this::changed);
  }

  private void changed(String worker) {
    for (var call : of(worker))
      try {
        var written = write(call.report());
        if (orders.news(written, call.report()) && take(call)) reply(call, written);
      } catch (Unavailable later) {
        // The call waits on, and is answered at its end at the latest.
      }
  }

  private SyncOrders write(SyncReport report) {
    var worker = deck.ledger().read(new Key.OfWorker(report.cluster(), report.worker()));
    if (worker.isEmpty()) return orders.fenced(report);
    var host = deck.ledger().read(key(report)).map(Stored::value);
    if (Admission.of(worker.get().value(), host, report) == Admission.FENCED)
      return orders.fenced(report);
    return orders.write(worker.get().value(), report);
  }

  private static Key.OfHost key(SyncReport report) {
    return new Key.OfHost(report.cluster(), report.worker(), report.host());
  }

  /** The worker with the host's news written down; empty for one that is to kill everything. */
  private Optional<Worker> hear(SyncReport report) {
    try {
      return admitted(report);
    } catch (Unreadable unknown) {
      // The host speaks: its slice is not lost for what somebody did to a document.
      beat(report, deck.clock().instant().plus(deck.rules().beat()));
      throw unknown;
    }
  }

  private Optional<Worker> admitted(SyncReport report) {
    var looks = false;
    for (var tries = 0; tries < TRIES; tries++) {
      var worker = deck.ledger().read(new Key.OfWorker(report.cluster(), report.worker()));
      if (worker.isEmpty() || report.host() >= Hosts.count(worker.get().value()))
        return Optional.empty();
      var host = deck.ledger().read(key(report));
      switch (Admission.of(worker.get().value(), host.map(Stored::value), report)) {
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
      looks |= looks(written.get().value(), host, report);
      if (!looks) return written.map(Stored::value);
      var ready = slices.look(report.cluster(), report.worker());
      if (ready.isPresent()) return ready.map(Stored::value);
    }
    throw new Unavailable("worker " + report.worker() + " is being changed by others; call again");
  }

  /** Each host when it is new; and one of them always, in case that the last one died meanwhile. */
  private static boolean looks(
      Worker worker, Optional<Stored<WorkerHost>> before, SyncReport report) {
    var known = before.map(b -> b.value().incarnation()).filter(report.incarnation()::equals);
    return SliceReadiness.awaited(worker) && (known.isEmpty() || report.host() == 1);
  }

  /** Empty if somebody changed a document meanwhile. */
  private Optional<Stored<Worker>> write(
      Stored<Worker> stored, Optional<Stored<WorkerHost>> before, SyncReport report) {
    var now = deck.clock().instant();
    var was = before.map(Stored::value);
    var host =
        new WorkerHost(
            report.cluster(),
            report.worker(),
            report.host(),
            report.incarnation(),
            report.seq(),
            was.map(WorkerHost::firstSyncAt).orElse(now),
            report.drained(),
            report.problem());
    var next = next(stored.value(), report, now);
    var same = was.filter(w -> same(w, host)).isPresent();
    if (same && next.equals(stored.value())) return Optional.of(stored);
    var writes = new ArrayList<Write>();
    if (!next.equals(stored.value())) writes.add(new Write.Update(next, stored.version()));
    writes.add(
        before
            .<Write>map(b -> new Write.Update(host, b.version()))
            .orElseGet(() -> new Write.Create(host)));
    writes.add(new Write.Notify(report.cluster(), now, false, List.of(report.worker())));
    if (!(deck.ledger().commit(writes) instanceof Committed.Done done)) return Optional.empty();
    return Optional.of(
        next.equals(stored.value()) ? stored : new Stored<>(next, done.versions().getFirst()));
  }

  private static boolean same(WorkerHost a, WorkerHost b) {
    return a.incarnation().equals(b.incarnation())
        && a.drained() == b.drained()
        && a.problem().equals(b.problem());
  }

  private Worker next(Worker worker, SyncReport report, Instant now) {
    var next = worker;
    if (report.notice().isPresent() && worker.notice().isEmpty()) {
      var taken = new WorkerEvent.Noticed(now, now.plus(deck.rules().noticeDeadline()));
      next = next.noticed(report.notice().get());
      next = next.with(WorkerLifecycle.on(next.state(), taken).next());
    }
    return next;
  }
}
