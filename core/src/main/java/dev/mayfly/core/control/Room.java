package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One cluster's calls at one instance: those that wait, and what is remembered for all of them. */
final class Room implements AutoCloseable {
  private static final int TRIES = 5;

  private final Deck deck;
  private final String cluster;
  private final Losses losses;
  private final Judge judge;
  private final JobCache jobs;
  private final BeatBook beats;
  private final OrdersWriter orders;
  private final News news;
  private final Grants grants;
  private final WorkerCache workers;
  private final Map<String, Call> waiting = new LinkedHashMap<>();
  private final Map<String, Instant> pulsed = new LinkedHashMap<>();
  private Instant work = Instant.EPOCH;
  private boolean hungry;
  private boolean looking;
  private final Ledger.Watch watch;

  Room(Deck deck, String cluster, String instance, Losses losses, Judge judge, Endings endings) {
    this.deck = deck;
    this.cluster = cluster;
    this.losses = losses;
    this.judge = judge;
    jobs = new JobCache(deck.ledger(), deck.clock(), deck.rules().jobFresh(), cluster);
    beats = new BeatBook(deck.ledger(), deck.alarms(), deck.clock(), cluster, instance);
    orders = new OrdersWriter(deck, jobs);
    news = new News(deck, losses, endings, jobs);
    grants = new Grants(deck, jobs, orders, instance);
    workers = new WorkerCache(deck, cluster, orders);
    watch = deck.ledger().watch(cluster, this::pulse);
  }

  /** See {@link SyncDesk#sync}. */
  void arrive(SyncReport report, Consumer<SyncOrders> reply) {
    var heard = hear(report);
    if (heard.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    var until = deck.clock().instant().plus(wait(heard.get().value(), report));
    var call = new Call(report, heard.get(), until, reply);
    synchronized (this) {
      var older = waiting.get(report.worker());
      if ((older != null && overtakes(older.report, report)) || overtaken(heard.get(), report)) {
        call.answer(orders.write(call.worker(), report));
        return;
      }
      if (older != null) older.answer(orders.write(older.worker(), older.report));
      waiting.put(report.worker(), call);
      try {
        deal();
        settle(call);
      } catch (Unavailable refused) {
        waiting.remove(report.worker(), call);
        throw refused;
      }
      lookAround();
    }
    if (!call.answered()) deck.alarms().at(call.until, () -> expire(call));
    judge();
  }

  /**
   * For how long a call may be kept: a beat where there is work to lose, so that a silence is noticed soon
   * enough for it to run elsewhere.
   */
  private Duration wait(Worker worker, SyncReport report) {
    var asked = Duration.ofSeconds(Math.max(0, report.waitSeconds()));
    var idle = worker.held().isEmpty() && report.leases().isEmpty();
    var most = idle ? deck.rules().maxWait() : deck.rules().beat();
    return asked.compareTo(most) < 0 ? asked : most;
  }

  /** Calls that wait judge too: with few workers nobody else may call for long. */
  private synchronized void lookAround() {
    if (looking || waiting.isEmpty()) return;
    looking = true;
    deck.alarms().at(deck.clock().instant().plus(deck.rules().judgeEvery()), this::looked);
  }

  private void looked() {
    judge();
    synchronized (this) {
      looking = false;
      lookAround();
    }
  }

  private void judge() {
    try {
      judge.passIfDue(cluster);
    } catch (Unavailable later) {
      // Silence that cannot be judged is not served silence; the next pass begins again.
    }
  }

  private static boolean overtakes(SyncReport waits, SyncReport late) {
    return waits.incarnation().equals(late.incarnation()) && waits.seq() > late.seq();
  }

  /** A newer call of the worker was written: what this one says of its room is old. */
  private static boolean overtaken(Stored<Worker> worker, SyncReport report) {
    return worker.value().seq() > report.seq()
        && worker.value().incarnation().filter(report.incarnation()::equals).isPresent();
  }

  /** The worker with the report's news written down; empty for one that is to kill everything. */
  private Optional<Stored<Worker>> hear(SyncReport report) {
    for (var tries = 0; tries < TRIES; tries++) {
      var stored = tries == 0 ? workers.seen(report) : workers.read(report.worker());
      if (stored.isEmpty()) return Optional.empty();
      var admission = Admission.of(stored.get().value(), report);
      if (admission == Admission.FENCED) {
        fence(report);
        return Optional.empty();
      }
      if (admission == Admission.OVERTAKEN) return stored;
      var wait = wait(stored.get().value(), report);
      var kept = wait.compareTo(deck.rules().beat()) > 0 ? wait : deck.rules().beat();
      beats.due(report.worker(), deck.clock().instant().plus(kept));
      var written = write(stored.get(), report, admission);
      if (written.isPresent()) return written;
    }
    throw new Unavailable("worker " + report.worker() + " is being changed by others; call again");
  }

  private Optional<Stored<Worker>> write(
      Stored<Worker> stored, SyncReport report, Admission admission) {
    try {
      var written = news.write(stored, report, admission);
      written.ifPresent(w -> workers.remember(report.worker(), w));
      return written;
    } catch (Unavailable unknown) {
      workers.forget(report.worker());
      throw unknown;
    }
  }

  /** It was given up. Once it says that nothing runs, work that must not run twice may go on elsewhere. */
  private void fence(SyncReport report) {
    var stored = workers.read(report.worker());
    if (stored.isEmpty() || !(stored.get().value().state() instanceof WorkerState.Lost)) return;
    beats.forget(report.worker());
    if (stored.get().value().held().isEmpty()) return;
    if (released(report).containsAll(WorkerCache.refs(stored.get().value())))
      losses.confirmed(stored.get(), Cause.LOST);
  }

  /**
   * What is proved not to run. A lease that a report does not name proves nothing: the report may be late, from
   * before the lease was known there.
   */
  private static Set<LeaseRef> released(SyncReport report) {
    return report.leases().stream()
        .filter(SyncReport.Lease::released)
        .map(SyncReport.Lease::ref)
        .collect(Collectors.toSet());
  }

  /** Grants what can be granted, and answers the calls that got something. */
  private void deal() {
    try {
      for (var call : grants.pass(cluster, List.copyOf(waiting.values()))) {
        workers.remember(call.worker().name(), call.stored());
        settle(call);
      }
    } catch (Unavailable unknown) {
      // A grant may have been written all the same: everybody's document is read again before it is used.
      for (var call : waiting.values()) workers.forget(call.worker().name());
    }
    lookAgain();
  }

  /** While somebody has nothing to do and others have, what can be taken from them changes with time. */
  private void lookAgain() {
    if (hungry || !grants.hungry(waiting.values())) return;
    hungry = true;
    deck.alarms().at(deck.clock().instant().plus(deck.rules().stealPause()), this::hunger);
  }

  private synchronized void hunger() {
    hungry = false;
    deal();
  }

  /** Answers a call that has news; the others wait. */
  private void settle(Call call) {
    if (call.answered()) return;
    var written = orders.write(call.worker(), call.report);
    var over = !call.until.isAfter(deck.clock().instant());
    if (orders.news(written, call.report) || over) answer(call, written);
  }

  private void answer(Call call, SyncOrders written) {
    waiting.remove(call.report.worker(), call);
    beats.due(call.report.worker(), written.due());
    call.answer(written);
  }

  private synchronized void expire(Call call) {
    if (call.answered()) return;
    try {
      answer(call, orders.write(call.worker(), call.report));
    } catch (Unavailable noLedger) {
      waiting.remove(call.report.worker(), call);
      call.answer(nothingNew(call));
    }
    judge();
  }

  /** Without the ledger, the agent is told what it said: nothing changes for it. */
  private SyncOrders nothingNew(Call call) {
    var now = deck.clock().instant();
    var same =
        call.report.leases().stream()
            .map(l -> new SyncOrders.Lease(l.ref(), l.end(), l.done(), "", false))
            .toList();
    return new SyncOrders(
        call.report.seq(), now, now.plus(deck.rules().beat()), same, List.of(), Optional.empty(), false, List.of());
  }

  private void pulse(Pulse pulse) {
    synchronized (this) {
      var appeared = pulse.work().isAfter(work);
      if (appeared) {
        work = pulse.work();
        grants.workAppeared();
      }
      new TreeMap<>(pulse.workers()).forEach(this::changed);
      if (appeared) deal();
    }
  }

  /** Somebody changed the worker: its call, if it waits here, may have new orders. */
  private void changed(String worker, Instant at) {
    if (!at.isAfter(pulsed.getOrDefault(worker, Instant.EPOCH))) return;
    pulsed.put(worker, at);
    workers.forget(worker);
    orders.forget(worker);
    jobs.forget();
    var call = waiting.get(worker);
    if (call == null) return;
    try {
      var stored = workers.read(worker);
      if (stored.isEmpty() || Admission.of(stored.get().value(), call.report) == Admission.FENCED) {
        waiting.remove(worker, call);
        beats.forget(worker);
        call.answer(orders.fenced(call.report));
        return;
      }
      call.now(stored.get());
      settle(call);
    } catch (Unavailable later) {
      // The call waits on, and is answered at its end at the latest.
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
