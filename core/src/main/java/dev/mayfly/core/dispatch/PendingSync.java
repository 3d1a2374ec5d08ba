package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.VersionedDocument;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One agent's call while it is kept waiting. Its worker is changed by the pass that has it in hand
 * only; anybody may say that it is stale, and anybody may answer it, once.
 */
public final class PendingSync {
  public final SyncReport report;
  public final Instant until;
  private final Consumer<SyncOrders> reply;
  private final AtomicBoolean answered = new AtomicBoolean();
  private VersionedDocument<Worker> worker;
  private int changes;
  private int read;
  private boolean looked;

  public PendingSync(
      SyncReport report,
      VersionedDocument<Worker> worker,
      Instant until,
      Consumer<SyncOrders> reply) {
    this.report = report;
    this.worker = worker;
    this.until = until;
    this.reply = reply;
  }

  public Worker worker() {
    return stored().value();
  }

  public synchronized VersionedDocument<Worker> stored() {
    return worker;
  }

  /** What to tell {@link #refresh} of a read that begins now. */
  public synchronized int changes() {
    return changes;
  }

  /** The worker as it was read, begun when there were so many changes: there may be news in it. */
  public synchronized void refresh(VersionedDocument<Worker> next, int changesBefore) {
    worker = next;
    read = changesBefore;
    looked = false;
  }

  /** The worker as this instance wrote it; somebody may have changed it since. */
  synchronized void updated(VersionedDocument<Worker> next) {
    worker = next;
  }

  /** Somebody changed the worker: it is to be read again before anything is granted to it. */
  public synchronized void markStale() {
    changes++;
  }

  public synchronized boolean isStale() {
    return changes != read;
  }

  /** A pass has looked whether there is anything to tell it. */
  public synchronized void markChecked() {
    looked = true;
  }

  public synchronized boolean isNew() {
    return !looked;
  }

  public boolean answered() {
    return answered.get();
  }

  /** False if somebody answered it before. */
  public boolean answer(SyncOrders orders) {
    if (!claim()) return false;
    reply.accept(orders);
    return true;
  }

  /** Takes it from whoever would answer it; false if somebody did. */
  public boolean claim() {
    return answered.compareAndSet(false, true);
  }
}
