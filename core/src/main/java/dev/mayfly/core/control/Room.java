package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * One cluster's calls at one instance: those that wait, and what is remembered for all of them.
 *
 * <p>Calls are answered when the lock is free again: whoever is answered may call at once.
 */
final class Room implements AutoCloseable {
  private final Deck deck;
  private final String cluster;
  private final Judge judge;
  private final JobCache jobs;
  private final BeatBook beats;
  private final OrdersWriter orders;
  private final Hearing hearing;
  private final Grants grants;
  private final Map<String, Call> waiting = new LinkedHashMap<>();
  private final Queue<Runnable> replies = new ConcurrentLinkedQueue<>();
  private Pulse last;
  private boolean hungry;
  private boolean looking;
  private final Ledger.Watch watch;

  Room(Deck deck, String cluster, String instance, Losses losses, Judge judge, Endings endings) {
    this.deck = deck;
    this.cluster = cluster;
    this.judge = judge;
    jobs = new JobCache(deck.ledger(), deck.clock(), deck.rules().jobFresh(), cluster);
    beats = new BeatBook(deck.ledger(), deck.alarms(), deck.clock(), cluster, instance);
    orders = new OrdersWriter(deck, jobs);
    hearing =
        new Hearing(deck, cluster, beats, orders, new News(deck, losses, endings, jobs), losses);
    grants = new Grants(deck, jobs, orders, new Ring(deck, judge, cluster, instance));
    last = new Pulse(cluster, Instant.EPOCH, Map.of());
    watch = deck.ledger().watch(cluster, this::pulse);
  }

  /** See {@link SyncDesk#sync}. */
  void arrive(SyncReport report, Consumer<SyncOrders> reply) {
    var heard = hearing.hear(report);
    if (heard.isEmpty()) {
      reply.accept(orders.fenced(report));
      return;
    }
    var until = deck.clock().instant().plus(hearing.wait(heard.get().value(), report));
    var call = new Call(report, heard.get(), until, reply);
    try {
      take(call);
    } finally {
      answerAll();
    }
    judge();
  }

  /** If the ledger can't be reached the call is not kept: nothing answers it but the exception. */
  private synchronized void take(Call call) {
    var report = call.report;
    var older = Optional.ofNullable(waiting.get(report.worker()));
    if (older.filter(o -> overtakes(o.report, report)).isPresent() || overtaken(call)) {
      reply(call, orders.write(call.worker(), report));
      return;
    }
    if (older.isPresent())
      reply(older.get(), orders.write(older.get().worker(), older.get().report));
    waiting.put(report.worker(), call);
    try {
      deal();
      settle(call);
    } catch (Unavailable noLedger) {
      waiting.remove(report.worker(), call);
      throw noLedger;
    }
    if (!call.answered()) deck.alarms().at(call.until, () -> expire(call));
    lookAround();
  }

  /** Calls that wait judge too: with few workers nobody else may call for long. */
  private void lookAround() {
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

  private static boolean overtakes(SyncReport waits, SyncReport late) {
    return waits.incarnation().equals(late.incarnation()) && waits.seq() > late.seq();
  }

  /** A newer call of the worker was written: what this one says of its room is old. */
  private static boolean overtaken(Call call) {
    var worker = call.worker();
    return worker.seq() > call.report.seq()
        && worker.incarnation().filter(call.report.incarnation()::equals).isPresent();
  }

  /** Grants what can be granted, and answers the calls that got something. */
  private void deal() {
    if (pass()) pass();
    lookAgain();
  }

  /**
   * True if a worker was changed by somebody else: it was read again, and may get something now.
   */
  private boolean pass() {
    try {
      var renewed = waiting.values().stream().filter(Call::isStale).toList();
      renewed.forEach(this::renew);
      var granted = grants.pass(cluster, List.copyOf(waiting.values()));
      var read = new HashMap<String, Optional<Job>>();
      for (var call : granted) {
        hearing.remember(call.stored());
        settle(call, read);
      }
      for (var call : renewed) if (!call.isStale()) settle(call, read);
      return waiting.values().stream().anyMatch(Call::isStale);
    } catch (Unavailable unknown) {
      // A grant may have been written all the same: everybody's document is read again before it is
      // used.
      for (var call : waiting.values()) {
        hearing.forget(call.report.worker());
        call.stale();
      }
      return false;
    }
  }

  /**
   * While somebody has nothing to do and others have, what can be taken from them changes with
   * time.
   */
  private void lookAgain() {
    if (hungry || !isHungry()) return;
    hungry = true;
    deck.alarms().at(deck.clock().instant().plus(deck.rules().stealPause()), this::hunger);
  }

  private boolean isHungry() {
    try {
      return waiting.values().stream().anyMatch(Call::isStale) || grants.hungry(waiting.values());
    } catch (Unavailable later) {
      return true;
    }
  }

  private void hunger() {
    synchronized (this) {
      hungry = false;
      deal();
    }
    answerAll();
  }

  /** Answers a call that has news; the others wait. */
  private void settle(Call call) {
    settle(call, new HashMap<>());
  }

  /** One read of a job is enough for all calls of a pass: it comes after the grants. */
  private void settle(Call call, Map<String, Optional<Job>> read) {
    if (call.answered()) return;
    var written = orders.write(call.worker(), call.report, read);
    var over = !call.until.isAfter(deck.clock().instant());
    if (orders.news(written, call.report) || over) answer(call, written);
  }

  private void answer(Call call, SyncOrders written) {
    waiting.remove(call.report.worker(), call);
    beats.due(call.report.worker(), written.due());
    reply(call, written);
  }

  private void reply(Call call, SyncOrders written) {
    replies.add(call.answer(written));
  }

  private void answerAll() {
    for (var next = replies.poll(); next != null; next = replies.poll()) next.run();
  }

  private void expire(Call call) {
    synchronized (this) {
      if (call.answered()) return;
      try {
        if (call.isStale()) renew(call);
        if (!call.answered()) answer(call, orders.write(call.worker(), call.report));
      } catch (Unavailable noLedger) {
        answer(call, orders.unchanged(call.report));
      }
    }
    answerAll();
    judge();
  }

  private void pulse(Pulse pulse) {
    synchronized (this) {
      // Two changes may carry one time, or come from clocks that differ: any change is news.
      var appeared = !pulse.work().equals(last.work()) || pulse.equals(last);
      var before = last.workers();
      last = pulse;
      if (appeared) grants.workAppeared();
      new TreeMap<>(pulse.workers())
          .forEach((worker, at) -> {
            if (!at.equals(before.get(worker))) changed(worker);
          });
      if (appeared) deal();
    }
    answerAll();
  }

  /** Somebody changed the worker: its call, if it waits here, may have new orders. */
  private void changed(String worker) {
    hearing.forget(worker);
    orders.forget(worker);
    jobs.forget();
    var call = waiting.get(worker);
    if (call == null) return;
    call.stale();
    try {
      renew(call);
      settle(call);
    } catch (Unavailable later) {
      // The call waits on, and is answered at its end at the latest.
    }
  }

  /** Reads the call's worker again, and answers the call if it has no say any more. */
  private void renew(Call call) {
    var worker = call.report.worker();
    var stored = hearing.read(worker);
    if (stored.isEmpty() || Admission.of(stored.get().value(), call.report) == Admission.FENCED) {
      waiting.remove(worker, call);
      beats.forget(worker);
      reply(call, orders.fenced(call.report));
      return;
    }
    orders.forget(worker);
    call.now(stored.get());
    if (overtaken(call)) answer(call, orders.write(call.worker(), call.report));
  }

  /**
   * A pass that fails is made again by the next call; it is no affair of the agent whose call made
   * it.
   */
  private void judge() {
    try {
      judge.passIfDue(cluster);
    } catch (Unavailable later) {
      // Without the ledger nobody is judged.
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
