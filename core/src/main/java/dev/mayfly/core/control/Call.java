package dev.mayfly.core.control;

import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One agent's call while it is kept waiting. Its worker is changed by the pass that has it in hand
 * only; anybody may say that it is stale, and anybody may answer it, once.
 */
final class Call {
  final SyncReport report;
  final Instant until;
  private final Consumer<SyncOrders> reply;
  private final AtomicBoolean answered = new AtomicBoolean();
  private Stored<Worker> worker;
  private int changes;
  private int read;
  private boolean looked;

  Call(SyncReport report, Stored<Worker> worker, Instant until, Consumer<SyncOrders> reply) {
    this.report = report;
    this.worker = worker;
    this.until = until;
    this.reply = reply;
  }

  Worker worker() {
    return stored().value();
  }

  synchronized Stored<Worker> stored() {
    return worker;
  }

  /** What to tell {@link #now} of a read that begins now. */
  synchronized int changes() {
    return changes;
  }

  /** The worker as it was read, begun when there were so many changes: there may be news in it. */
  synchronized void now(Stored<Worker> next, int changesBefore) {
    worker = next;
    read = changesBefore;
    looked = false;
  }

  /** The worker as this instance wrote it; somebody may have changed it since. */
  synchronized void wrote(Stored<Worker> next) {
    worker = next;
  }

  /** Somebody changed the worker: it is to be read again before anything is granted to it. */
  synchronized void stale() {
    changes++;
  }

  synchronized boolean isStale() {
    return changes != read;
  }

  /** A pass has looked whether there is anything to tell it. */
  synchronized void looked() {
    looked = true;
  }

  synchronized boolean isNew() {
    return !looked;
  }

  boolean answered() {
    return answered.get();
  }

  /** False if somebody answered it before. */
  boolean answer(SyncOrders orders) {
    if (!drop()) return false;
    reply.accept(orders);
    return true;
  }

  /** Takes it from whoever would answer it; false if somebody did. */
  boolean drop() {
    return answered.compareAndSet(false, true);
  }
}
