package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.capacity.HeldLimit;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An agent's sync that waits for orders. Only the pass that currently handles it changes its
 * worker; any thread may mark it stale or answer it, once.
 */
public final class PendingSync {
  public final SyncReport report;
  public final Instant until;
  private final Consumer<SyncOrders> reply;
  private final FreeResources free;
  private final AtomicBoolean answered = new AtomicBoolean();
  private VersionedDocument<Worker> worker;
  private int changes;
  private int read;
  private boolean checked;

  public PendingSync(
      SyncReport report,
      VersionedDocument<Worker> worker,
      Instant until,
      Consumer<SyncOrders> reply) {
    this.report = report;
    this.worker = worker;
    this.until = until;
    this.reply = reply;
    free = report.freeResources();
  }

  public Worker worker() {
    return stored().value();
  }

  public synchronized VersionedDocument<Worker> stored() {
    return worker;
  }

  /** Pass this to {@link #refresh} for a read that begins now. */
  public synchronized int changes() {
    return changes;
  }

  /** Sets the worker from a read that began at that change count; it may contain changes. */
  public synchronized void refresh(VersionedDocument<Worker> next, int changesBefore) {
    worker = next;
    read = changesBefore;
    checked = false;
  }

  /** Sets the worker as this instance wrote it; another writer may have changed it since. */
  synchronized void updated(VersionedDocument<Worker> next) {
    worker = next;
  }

  /** What is free beside the tasks that its agent has. */
  FreeResources free() {
    return free;
  }

  /** Whether it could take a task of one of these jobs beside what its agent has. */
  public boolean hasRoomFor(List<JobQueue.Row> rows) {
    for (var row : rows)
      if (row.gang() <= 1 && (free.fits(row.need()) || report.prefetch().containsKey(row.job())))
        return true;
    return false;
  }

  /** Whether its worker may be granted leases now. */
  boolean takesLeases() {
    return !HeldLimit.isReached(worker())
        && !worker().inGang()
        && (!SliceHosts.isMultiHost(worker()) || worker().held().isEmpty())
        && !report.drained()
        && report.notice().isEmpty();
  }

  /** The worker was changed and must be read again before the next grant. */
  public synchronized void markStale() {
    changes++;
  }

  public synchronized boolean isStale() {
    return changes != read;
  }

  /** A pass has checked whether there are orders for it. */
  public synchronized void markChecked() {
    checked = true;
  }

  public synchronized boolean isNew() {
    return !checked;
  }

  public boolean answered() {
    return answered.get();
  }

  /** False if it was answered before. */
  public boolean answer(SyncOrders orders) {
    if (!claim()) return false;
    reply.accept(orders);
    return true;
  }

  /** Reserves the right to answer; false if it is taken. */
  public boolean claim() {
    return answered.compareAndSet(false, true);
  }
}
