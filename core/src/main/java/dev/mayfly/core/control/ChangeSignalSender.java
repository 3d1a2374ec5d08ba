package dev.mayfly.core.control;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sends change signals, from one instance to a cluster at most once a second: the first at once,
 * and all that arrive within the next second together. A prompt signal waits for no other, as long
 * as all of them are no more than a few ahead of one a second.
 *
 * <p>A process without CPU between its calls would send the rest only with its next call. So, where
 * {@link ScheduledExecutor#waitUntil} says that it must, the last call in the process waits until
 * everything is sent. A signal lost with its process only delays its receivers: agents sync again
 * anyway.
 */
final class ChangeSignalSender {
  /** So many prompt signals may be sent at once, after as many seconds without a signal. */
  private static final int BURST = 5;

  /** How far all signals that are sent may be ahead of one a second. */
  private static final Duration AHEAD = Timings.GROUP.multipliedBy(BURST - 1L);

  /** What must be sent to one cluster. */
  private static final class Pending {
    private Instant last = Instant.EPOCH;

    /** The time of the last signal, if all had been sent at least a second apart. */
    private Instant lastInTurn = Instant.EPOCH;

    private boolean any;
    private boolean work;
    private boolean prompt;
    private final Set<String> workers = new TreeSet<>();
    private boolean scheduled;
    private boolean sending;

    private boolean isDue(Instant now) {
      return ElapsedTime.hasPassed(last, Timings.GROUP, now)
          || (prompt && ElapsedTime.hasPassed(lastInTurn.minus(AHEAD), Timings.GROUP, now));
    }

    private void sentAt(Instant now) {
      var turn = lastInTurn.plus(Timings.GROUP);
      var wasSetBack = lastInTurn.minus(AHEAD).isAfter(now);
      lastInTurn = wasSetBack || turn.isBefore(now) ? now : turn;
      last = now;
    }

    private void merge(LedgerWrite.Signal signal) {
      any = true;
      work |= signal.work();
      prompt |= signal.prompt();
      workers.addAll(signal.workers());
    }

    private void clear() {
      any = false;
      work = false;
      prompt = false;
      workers.clear();
    }
  }

  private final Ledger ledger;
  private final ScheduledExecutor executor;
  private final InstantSource clock;
  private final Map<String, Pending> clusters = new HashMap<>();
  private int openScopes;

  ChangeSignalSender(Ledger ledger, ScheduledExecutor executor, InstantSource clock) {
    this.ledger = ledger;
    this.executor = executor;
    this.clock = clock;
  }

  void send(LedgerWrite.Signal signal) {
    synchronized (this) {
      clusters.computeIfAbsent(signal.cluster(), _ -> new Pending()).merge(signal);
    }
    flush(signal.cluster());
  }

  /** While a scope is open, a call may send signals here; see the class. */
  ControlPlane.FlushScope openScope() {
    synchronized (this) {
      openScopes++;
    }
    return this::closeScope;
  }

  private void closeScope() {
    synchronized (this) {
      if (--openScopes > 0) return;
    }
    for (var cluster : waiting()) if (executor.waitUntil(next(cluster))) flush(cluster);
  }

  private synchronized List<String> waiting() {
    var waiting = new ArrayList<String>();
    clusters.forEach((cluster, pending) -> {
      if (pending.any) waiting.add(cluster);
    });
    return waiting;
  }

  private synchronized Instant next(String cluster) {
    return clusters.computeIfAbsent(cluster, _ -> new Pending()).last.plus(Timings.GROUP);
  }

  private void flush(String cluster) {
    var signal = take(cluster);
    if (signal.isEmpty()) return;
    var sent = false;
    try {
      ledger.commit(List.of(signal.get()));
      sent = true;
    } catch (UnavailableException later) {
      // It is sent again with the next one.
    } finally {
      sent(signal.get(), sent);
    }
  }

  /**
   * The signal that may be sent now. Its time is the time of sending, so each signal has its own.
   */
  private synchronized Optional<LedgerWrite.Signal> take(String cluster) {
    var pending = clusters.computeIfAbsent(cluster, _ -> new Pending());
    if (!pending.any || pending.sending) return Optional.empty();
    var now = clock.instant();
    if (!pending.isDue(now)) {
      schedule(cluster, pending);
      return Optional.empty();
    }
    var signal =
        new LedgerWrite.Signal(
            cluster, now, pending.work, List.copyOf(pending.workers), pending.prompt);
    pending.sentAt(now);
    pending.clear();
    pending.sending = true;
    return Optional.of(signal);
  }

  private void schedule(String cluster, Pending pending) {
    if (pending.scheduled) return;
    pending.scheduled = true;
    executor.callAt(pending.last.plus(Timings.GROUP), () -> sendDue(cluster));
  }

  private void sendDue(String cluster) {
    synchronized (this) {
      var pending = clusters.get(cluster);
      if (pending != null) pending.scheduled = false;
    }
    flush(cluster);
  }

  private synchronized void sent(LedgerWrite.Signal signal, boolean done) {
    var pending = clusters.computeIfAbsent(signal.cluster(), _ -> new Pending());
    pending.sending = false;
    if (!done) pending.merge(signal);
    if (pending.any) schedule(signal.cluster(), pending);
  }
}
