package dev.mayfly.core.dispatch;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.lifecycle.WastedTime;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shards for one worker, committed together with its document by a {@link GrantBatch}, which may
 * hold other workers' grants too, and settled when all batches of the pass have run.
 */
final class LeaseGrant {
  enum Result {
    GRANTED,
    WORKER_CHANGED,
    SHARD_TAKEN
  }

  private final Job job;
  private final JobQueue.Row row;
  private final WorkerDemand workerDemand;
  private final List<VersionedDocument<Shard>> shards;
  private List<Shard> granted = List.of();
  private Worker holding;
  private VersionedDocument<Worker> next;
  private Result result = Result.SHARD_TAKEN;

  LeaseGrant(
      JobQueue.Row row, Job job, WorkerDemand workerDemand, List<VersionedDocument<Shard>> shards) {
    this.job = job;
    this.row = row;
    this.workerDemand = workerDemand;
    this.shards = shards;
    next = workerDemand.pendingSync.stored();
    holding = next.value();
  }

  Job job() {
    return job;
  }

  /** How many writes it takes. */
  int size() {
    return 1 + shards.size();
  }

  /** The writes that grant it now: the worker's document first. */
  List<LedgerWrite> writes(Instant now) {
    var worker = workerDemand.pendingSync.worker();
    var held = new ArrayList<>(workerDemand.held());
    var freeSlots = workerDemand.slots(row);
    var ledgerWrites = new ArrayList<LedgerWrite>();
    granted = new ArrayList<>();
    for (var storedShard : shards) {
      var shard = granted(storedShard.value(), new Shard.Owner(worker.name(), worker.epoch()), now);
      granted.add(shard);
      ledgerWrites.add(new LedgerWrite.Update(shard, storedShard.version()));
      var slots = Math.min(freeSlots, shard.open());
      freeSlots -= slots;
      held.add(held(shard, slots, now));
    }
    var ready = (WorkerState.Ready) worker.state();
    // The sync's number is stored, so that an older sync pending elsewhere grants nothing more.
    var report = workerDemand.pendingSync.report;
    holding =
        worker
            .withLeases(held, report.gpusUsed(), report.gpuMemoryUsed(), now)
            .with(new WorkerState.Ready(ready.since(), Optional.empty()))
            .withSync(report.incarnation(), report.seq(), report.total(), now);
    ledgerWrites.addFirst(
        new LedgerWrite.Update(holding, workerDemand.pendingSync.stored().version()));
    return ledgerWrites;
  }

  private Worker.Held held(Shard shard, long slots, Instant now) {
    var gang = shard.gang().isPresent();
    return new Worker.Held(
        row.job(),
        shard.start(),
        shard.epoch(),
        row.need(),
        now,
        List.of(),
        gang,
        slots,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        WastedTime.toHigherPriorities(shard));
  }

  private Shard granted(Shard shard, Shard.Owner owner, Instant now) {
    if (!workerDemand.isSlice()) return ShardTransitions.grant(shard, owner, now);
    var lease = new LeaseRef(shard.job(), shard.start(), shard.epoch() + 1);
    var run = SliceHosts.newRun(List.of(workerDemand.pendingSync.worker()), lease, job.spec(), now);
    return ShardTransitions.grantGang(shard, owner, run, now);
  }

  /** Whether syncs other than the one that asked must be notified. */
  boolean isGang() {
    return workerDemand.isSlice();
  }

  boolean isAbout(DocumentKey<?> documentKey) {
    return documentKey.equals(workerDemand.pendingSync.worker().key())
        || shards.stream().anyMatch(s -> documentKey.equals(s.value().key()));
  }

  /** The grant is committed; the worker's new version is given. */
  void written(String version) {
    next = new VersionedDocument<>(holding, version);
    result = Result.GRANTED;
  }

  /** Another writer changed this document first: nothing was committed. */
  void conflicted(DocumentKey<?> documentKey) {
    var changed = documentKey.equals(workerDemand.pendingSync.worker().key());
    result = changed ? Result.WORKER_CHANGED : Result.SHARD_TAKEN;
  }

  Result result() {
    return result;
  }

  WorkerDemand demand() {
    return workerDemand;
  }

  String worker() {
    return workerDemand.pendingSync.worker().name();
  }

  /** Updates the sync with its worker's new document; returns the shards as granted. */
  List<Shard> settle() {
    workerDemand.pendingSync.updated(next);
    workerDemand.granted(row, shards.stream().map(VersionedDocument::value).toList());
    return granted;
  }
}
