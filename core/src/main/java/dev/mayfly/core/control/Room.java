package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One cluster's calls at one instance: those that wait, and what is remembered for all of them.
 *
 * <p>One pass at a time deals work to the calls that wait; whoever comes meanwhile leaves its call
 * to the next. The lock guards what is remembered, and is held over no call of the ledger's and no
 * answer: whoever is answered may call at once.
 */
final class Room implements AutoCloseable {
  private final Deck deck;
  private final String cluster;
  private final Judge judge;
  private final BeatBook beats;
  private final OrdersWriter orders;
  private final Hearing hearing;
  private final HostCalls hosts;
  private final Grants grants;
  private final Waiting waiting;
  private final StealAlarm stealing;
  private final PassGate gate = new PassGate();
  private boolean looking;
  private final TroubleLog log = new TroubleLog();
  private final Ledger.Watch watch;

  /** When a call came last. */
  private Instant called = Instant.EPOCH;

  Room(
      Deck deck,
      StallDetector detector,
      String cluster,
      String instance,
      Losses losses,
      Judge judge,
      Endings endings) {
    this.deck = deck;
    this.cluster = cluster;
    this.judge = judge;
    var jobs = new JobCache(deck.ledger(), deck.clock(), deck.rules(), cluster);
    beats = new BeatBook(deck, detector, cluster, instance);
    judge.witness(cluster, beats);
    var gangs = new Gangs(deck.ledger(), deck.bus(), deck.clock());
    orders = new OrdersWriter(deck, jobs, gangs);
    var reports = new GangReports(deck, cluster, gangs, jobs);
    hosts = new HostCalls(deck, beats, orders, reports);
    var news = new News(deck, losses, endings, jobs);
    var recent = new RecentLeases(deck.clock());
    hearing = new Hearing(deck, cluster, beats, orders, news, losses, reports, jobs, recent);
    grants =
        new Grants(
            deck,
            jobs,
            orders,
            new Ring(deck, () -> judge.heard(cluster), cluster, instance),
            recent);
    waiting = new Waiting(cluster, hearing, orders, jobs);
    stealing = new StealAlarm(deck, this::deal);
    watch = deck.ledger().watch(cluster, this::pulse);
  }

  /** See {@link SyncDesk#sync}. */
  void arrive(SyncReport report, Consumer<SyncOrders> reply) {
    called();
    if (report.host() > 0) {
      hosts.arrive(report, reply);
      judge();
      return;
    }
    var changed = waiting.changed(report.worker());
    var heard = hearing.hear(report);
    if (heard.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    var until = deck.clock().instant().plus(hearing.wait(heard.get().value(), report));
    var call = new Call(report, heard.get(), until, reply);
    var admitted = waiting.admit(call, changed);
    admitted.older().ifPresent(this::end);
    if (admitted.waits()) take(call);
    else call.answer(orders.write(call.worker(), report));
    judge();
  }

  /** If the ledger can't be reached the call is not kept: nothing answers it but the exception. */
  private void take(Call call) {
    try {
      if (deal() && call.isNew()) settle(call, new HashMap<>());
    } catch (Unavailable noLedger) {
      waiting.left(call);
      if (call.drop()) throw noLedger;
    }
    if (!call.answered()) deck.alarms().at(call.until, () -> expire(call));
  }

  private void called() {
    synchronized (this) {
      called = deck.clock().instant();
    }
    lookAround();
  }

  /**
   * Calls that wait judge too: with few workers nobody else may call for long. And whoever had a
   * call a short while ago has to prove that it keeps none.
   */
  private synchronized void lookAround() {
    var over = Pause.over(called, deck.rules().instanceGone(), deck.clock().instant());
    if (looking || (over && waiting.isEmpty() && hosts.isEmpty())) return;
    looking = true;
    deck.alarms().at(judge.next(cluster), this::looked);
  }

  private void looked() {
    judge(waiting.isEmpty() && hosts.isEmpty() ? judge::proveIfDue : judge::passIfDue);
    synchronized (this) {
      looking = false;
    }
    lookAround();
  }

  /**
   * Grants what can be granted, and answers the calls that got something. False if another thread
   * does so now: then it is done once more for what came meanwhile.
   */
  private boolean deal() {
    if (!gate.enter()) return false;
    try {
      if (pass()) pass();
    } finally {
      if (gate.leave()) deck.alarms().at(deck.clock().instant(), this::deal);
    }
    if (isHungry()) stealing.set();
    return true;
  }

  /**
   * True if a worker was changed by somebody else: it was read again, and may get something now.
   */
  private boolean pass() {
    var calls = waiting.all();
    try {
      calls.stream().filter(Call::isStale).forEach(this::renew);
      var granted = Set.copyOf(grants.pass(cluster, calls));
      granted.forEach(waiting::remember);
      // One read of a job is enough for all calls of a pass: it comes after the grants.
      var read = new HashMap<String, Optional<Job>>();
      for (var call : calls)
        if (!call.isStale() && (call.isNew() || granted.contains(call))) settle(call, read);
      return calls.stream().anyMatch(c -> c.isStale() && !c.answered());
    } catch (RuntimeException unknown) {
      // A grant may have been written all the same: everybody's document is read again before it
      // is used.
      for (var call : calls) {
        hearing.forget(call.report.worker());
        call.stale();
      }
      if (!(unknown instanceof Unavailable)) troubles().mistake("granting in " + cluster, unknown);
      return false;
    }
  }

  /** Whether a call waits that another pass, some time later, may have something for. */
  private boolean isHungry() {
    var calls = waiting.all();
    try {
      return calls.stream().anyMatch(Call::isStale) || grants.hungry(calls);
    } catch (Unavailable later) {
      return true;
    }
  }

  /** Answers a call that has news; the others wait. */
  private void settle(Call call, Map<String, Optional<Job>> read) {
    if (call.answered()) return;
    var written = orders.write(call.worker(), call.report, read);
    call.looked();
    var over = !call.until.isAfter(deck.clock().instant());
    if (orders.news(written, call.report) || over) answer(call, written);
  }

  private void answer(Call call, SyncOrders written) {
    // An older call says nothing of when the worker speaks: a newer one of it is kept waiting.
    if (waiting.left(call)) beats.due(call.report.worker(), due(call, written.due()));
    call.answer(written);
  }

  /**
   * When it is silent if it has not spoken. Its next call may be kept for as long as this one was
   * to be, by an instance that stands still and that nobody knows of: then it could not speak
   * sooner.
   */
  private Instant due(Call call, Instant ordered) {
    // Whoever gave everything back with this call waits as an idle worker with the next.
    var idle = call.worker().held().isEmpty() && !call.report.leases().isEmpty();
    var wait = idle ? deck.rules().maxWait() : hearing.wait(call.worker(), call.report);
    var kept = deck.clock().instant().plus(wait);
    return kept.isAfter(ordered) ? kept : ordered;
  }

  private void expire(Call call) {
    end(call);
    judge();
  }

  /** Answers the call with what there is to say now. */
  private void end(Call call) {
    if (call.answered()) return;
    try {
      var now = call.isStale() ? read(call) : Optional.of(call.worker());
      if (now.isEmpty()) fence(call);
      else answer(call, orders.write(now.get(), call.report));
    } catch (Unavailable noLedger) {
      answer(call, orders.unchanged(call.report));
    }
  }

  /** The call's worker as it is stored; empty if the call has no say any more. */
  private Optional<Worker> read(Call call) {
    orders.forget(call.report.worker());
    return hearing
        .read(call.report.worker())
        .map(Stored::value)
        .filter(w -> Admission.of(w, call.report) != Admission.FENCED);
  }

  private void fence(Call call) {
    waiting.left(call);
    beats.forget(call.report.worker());
    call.answer(orders.fenced(call.report));
  }

  private void pulse(Pulse pulse) {
    var heard = waiting.hear(pulse);
    if (heard.work()) grants.workAppeared();
    if (heard.work() || heard.changed()) deal();
    hosts.hear(pulse);
  }

  /** Reads the call's worker again, and answers the call if it has no say any more. */
  private void renew(Call call) {
    try {
      renewed(call);
    } catch (Unreadable unknown) {
      answer(call, orders.unchanged(call.report));
    }
  }

  private void renewed(Call call) {
    var changes = call.changes();
    orders.forget(call.report.worker());
    var stored = hearing.read(call.report.worker());
    if (stored.isEmpty() || Admission.of(stored.get().value(), call.report) == Admission.FENCED) {
      fence(call);
      return;
    }
    call.now(stored.get(), changes);
    if (Waiting.overtaken(call)) answer(call, orders.write(call.worker(), call.report));
  }

  /**
   * A pass that fails is made again by the next call; it is no affair of the agent whose call made
   * it.
   */
  private void judge() {
    judge(judge::passIfDue);
  }

  private void judge(Consumer<String> how) {
    troubles().guard("judging " + cluster, () -> how.accept(cluster));
  }

  private Troubles troubles() {
    return new Troubles(log, deck.alarms(), deck.clock());
  }

  @Override
  public void close() {
    watch.close();
  }
}
