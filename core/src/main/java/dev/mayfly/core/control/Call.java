package dev.mayfly.core.control;

import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Stored;
import java.time.Instant;
import java.util.function.Consumer;

/** One agent's call while it is kept waiting. */
final class Call {
  final SyncReport report;
  final Instant until;
  private final Consumer<SyncOrders> reply;
  private Stored<Worker> worker;
  private boolean answered;
  private boolean stale;

  Call(SyncReport report, Stored<Worker> worker, Instant until, Consumer<SyncOrders> reply) {
    this.report = report;
    this.worker = worker;
    this.until = until;
    this.reply = reply;
  }

  Worker worker() {
    return worker.value();
  }

  Stored<Worker> stored() {
    return worker;
  }

  /** The worker as it is stored since. */
  void now(Stored<Worker> next) {
    worker = next;
    stale = false;
  }

  /** Somebody changed the worker: it is to be read again before anything is granted to it. */
  void stale() {
    stale = true;
  }

  boolean isStale() {
    return stale;
  }

  boolean answered() {
    return answered;
  }

  /**
   * What is to be done to answer it, once no lock is held: whoever is called may call again at
   * once.
   */
  Runnable answer(SyncOrders orders) {
    if (answered) return () -> {};
    answered = true;
    return () -> reply.accept(orders);
  }
}
