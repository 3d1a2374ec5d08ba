package dev.mayfly.core.sync;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.dispatch.PendingSync;
import dev.mayfly.core.lifecycle.ShardParting;
import dev.mayfly.core.lifecycle.WastedTime;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.capacity.HeldLimit;
import dev.mayfly.core.plan.lease.LeaseParts;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cuts leases where a task is to run again that its holder is through with, because a user retried
 * it or it ended for a higher priority, so that the task goes back on its own: one batch of the
 * worker's document and the parts. Nothing is ordered of the agent, and none of its attempts ends.
 *
 * <p>What another writer prevents is done with the worker's next sync.
 */
final class LeaseParting {
  /** In one batch, beside the worker's document. */
  private static final int MOST_PARTS = 300;

  private final Context context;
  private final OrdersBuilder orders;
  private final ReportHandler reportHandler;
  private final JobCache jobs;

  LeaseParting(Context context, OrdersBuilder orders, ReportHandler reportHandler, JobCache jobs) {
    this.context = context;
    this.orders = orders;
    this.reportHandler = reportHandler;
    this.jobs = jobs;
  }

  /** One lease that is parted. */
  private record Parted(VersionedDocument<Shard> was, List<Shard> parts, SyncReport.Lease report) {
    List<LedgerWrite> writes() {
      var writes = new ArrayList<LedgerWrite>();
      writes.add(new LedgerWrite.Update(parts.getFirst(), was.version()));
      parts.stream().skip(1).forEach(part -> writes.add(new LedgerWrite.Create(part)));
      return writes;
    }

    List<Shard> held() {
      return parts.stream().filter(part -> part.state() == Shard.State.LEASED).toList();
    }

    /** The attempts of what goes back. */
    List<AttemptFailure> ended() {
      return report.failed().stream()
          .filter(it -> held().stream().noneMatch(part -> part.has(it.index())))
          .toList();
    }
  }

  /**
   * Parts what may be parted of the sync's worker; the sync then has the worker as written.
   *
   * @param retried by lease, what is to run again of it
   */
  void part(PendingSync pendingSync, Map<LeaseRef, TaskSet> retried) {
    var changes = pendingSync.changes();
    var stored = pendingSync.stored();
    var worker = stored.value();
    var freeing = freeing(worker, pendingSync.report, retried);
    if (freeing.isEmpty()) return;
    var parted = parted(worker, freeing, retried);
    if (parted.isEmpty()) return;
    var next = next(worker, parted);
    var commitResult = context.ledger().commit(writes(stored, next, parted));
    orders.invalidate(worker.name());
    if (!(commitResult instanceof CommitResult.Done done)) return;
    var written = new VersionedDocument<>(next, done.versions().getFirst());
    reportHandler.written(stored, written);
    pendingSync.refresh(written, changes);
    var affected = new LinkedHashSet<String>();
    parted.forEach(p -> affected.add(p.was().value().job()));
    TriggerSender.send(
        context.bus(), new Trigger.Reconcile(worker.cluster(), List.of(), List.copyOf(affected)));
  }

  /** What the report says of leases that may be parted, by shard. */
  private Map<DocumentKey.OfShard, SyncReport.Lease> freeing(
      Worker worker, SyncReport report, Map<LeaseRef, TaskSet> retried) {
    var freeing = new LinkedHashMap<DocumentKey.OfShard, SyncReport.Lease>();
    if (isCut(report)) return freeing;
    for (var lease : LeaseParts.apart(worker, report).leases()) {
      var again = retried.get(lease.ref());
      if (again != null && ShardParting.frees(again, lease))
        freeing.put(
            new DocumentKey.OfShard(worker.cluster(), lease.ref().job(), lease.ref().start()),
            lease);
    }
    return freeing;
  }

  /** Whether the report may leave out the failures of a lease, which would be lost. */
  private static boolean isCut(SyncReport report) {
    var failures = report.leases().stream().mapToInt(l -> l.failed().size()).sum();
    return failures + SyncReport.FAILURES_OF_LEASE > SyncReport.FAILURES;
  }

  private List<Parted> parted(
      Worker worker,
      Map<DocumentKey.OfShard, SyncReport.Lease> freeing,
      Map<LeaseRef, TaskSet> retried) {
    var all = new ArrayList<Parted>();
    var room = HeldLimit.SHARDS - worker.held().size();
    var writes = MOST_PARTS;
    for (var stored : context.ledger().readAll(freeing.keySet()).readableOnly()) {
      var shard = stored.value();
      var report = freeing.get(shard.key());
      if (report == null || !shard.lease().equals(report.ref())) continue;
      var job = jobs.lastKnown(shard.job()).filter(Job::running);
      var again = requireNonNull(retried.get(report.ref())).or(shard.again());
      var parts = ShardParting.parts(shard, again, report);
      var more = parts.stream().filter(ShardParting.Part::held).count() - 1;
      if (job.isEmpty() || parts.isEmpty() || more > room || parts.size() > writes) continue;
      room -= (int) more;
      writes -= parts.size();
      var now = context.clock().instant();
      var retries = job.get().spec().retries();
      all.add(new Parted(stored, ShardParting.cut(shard, parts, report, retries, now), report));
    }
    return all;
  }

  private Worker next(Worker worker, List<Parted> parted) {
    var byLease = new HashMap<LeaseRef, Parted>();
    parted.forEach(p -> byLease.put(p.was().value().lease(), p));
    var held = new ArrayList<Worker.Held>();
    for (var lease : worker.held()) {
      var parts = byLease.get(lease.ref());
      if (parts == null) held.add(lease);
      else held.addAll(parts(lease, parts));
    }
    var next = worker.withLeases(held, context.clock().instant());
    for (var each : parted)
      next = WastedTime.of(next, worker.held(), each.was().value(), each.ended());
    return next;
  }

  private static List<Worker.Held> parts(Worker.Held lease, Parted parted) {
    var held = new ArrayList<Worker.Held>();
    for (var shard : parted.held()) {
      var said = LeaseParts.within(parted.report(), shard.lease(), Optional.of(shard.end()));
      held.add(part(lease, said));
    }
    return held;
  }

  /** A part, which its agent goes on to know by the whole. */
  private static Worker.Held part(Worker.Held lease, SyncReport.Lease said) {
    return new Worker.Held(
            lease.job(),
            said.ref().start(),
            said.ref().epoch(),
            lease.need(),
            lease.since(),
            lease.running(),
            lease.gang(),
            said.running().size(),
            lease.startedAt(),
            lease.stalled(),
            Optional.of(lease.known()),
            lease.kept(),
            Outranked.within(lease.outranked(), said.ref().start(), said.end()),
            lease.lostBefore())
        .with(said);
  }

  private List<LedgerWrite> writes(
      VersionedDocument<Worker> stored, Worker next, List<Parted> parted) {
    var writes = new ArrayList<LedgerWrite>();
    writes.add(new LedgerWrite.Update(next, stored.version()));
    parted.forEach(p -> writes.addAll(p.writes()));
    writes.add(
        new LedgerWrite.Signal(
            next.cluster(), context.clock().instant(), true, List.of(next.name())));
    return writes;
  }
}
