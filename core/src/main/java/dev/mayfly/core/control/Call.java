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
  }

  boolean answered() {
    return answered;
  }

  void answer(SyncOrders orders) {
    if (answered) return;
    answered = true;
    reply.accept(orders);
  }
}
