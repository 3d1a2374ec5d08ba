package dev.mayfly.core.control;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shards for one worker, written together with its document: by a {@link Bundle}, which may hold
 * other workers' too, and settled when all bundles of the pass have run.
 */
final class Grant {
  enum Result {
    GRANTED,
    WORKER_CHANGED,
    SHARD_TAKEN
  }

  private final Job job;
  private final Turns.Row row;
  private final Buyer buyer;
  private final List<Stored<Shard>> shards;
  private List<Shard> granted = List.of();
  private Worker holding;
  private Stored<Worker> next;
  private Result result = Result.SHARD_TAKEN;

  Grant(Turns.Row row, Job job, Buyer buyer, List<Stored<Shard>> shards) {
    this.job = job;
    this.row = row;
    this.buyer = buyer;
    this.shards = shards;
    next = buyer.call.stored();
    holding = next.value();
  }

  /** How many writes it takes. */
  int size() {
    return 1 + shards.size();
  }

  /** What is to be written if it is granted now: the worker's document first. */
  List<Write> writes(Instant now) {
    var worker = buyer.call.worker();
    var held = new ArrayList<>(buyer.held());
    var room = buyer.slots(row);
    var writes = new ArrayList<Write>();
    granted = new ArrayList<>();
    for (var stored : shards) {
      var shard = granted(stored.value(), new Shard.Owner(worker.name(), worker.epoch()), now);
      granted.add(shard);
      writes.add(new Write.Update(shard, stored.version()));
      var slots = Math.min(room, shard.open());
      room -= slots;
      held.add(held(shard, slots, now));
    }
    var ready = (WorkerState.Ready) worker.state();
    // With this call's number in it, an older one that waits elsewhere grants nothing on top.
    var report = buyer.call.report;
    holding =
        worker
            .holding(held, report.gpusUsed())
            .with(new WorkerState.Ready(ready.since(), Optional.empty()))
            .heard(report.incarnation(), report.seq(), report.total(), now);
    writes.addFirst(new Write.Update(holding, buyer.call.stored().version()));
    return writes;
  }

  private Worker.Held held(Shard shard, long slots, Instant now) {
    var gang = shard.gang().isPresent();
    return new Worker.Held(
        row.job(), shard.start(), shard.epoch(), row.need(), now, List.of(), gang, slots);
  }

  private Shard granted(Shard shard, Shard.Owner owner, Instant now) {
    if (!buyer.isSlice()) return Shards.grant(shard, owner, now);
    var lease = new LeaseRef(shard.job(), shard.start(), shard.epoch() + 1);
    var run = Hosts.run(List.of(buyer.call.worker()), lease, job.spec(), now);
    return Shards.gather(shard, owner, run, now);
  }

  /** Whether other calls than the buyer's own have something to learn of it. */
  boolean isGang() {
    return buyer.isSlice();
  }

  boolean isAbout(Key<?> key) {
    return key.equals(buyer.call.worker().key())
        || shards.stream().anyMatch(s -> key.equals(s.value().key()));
  }

  /** It was written, and this is the worker's version now. */
  void written(String version) {
    next = new Stored<>(holding, version);
    result = Result.GRANTED;
  }

  /** Somebody else changed this document first: nothing was written. */
  void lost(Key<?> key) {
    var changed = key.equals(buyer.call.worker().key());
    result = changed ? Result.WORKER_CHANGED : Result.SHARD_TAKEN;
  }

  Result result() {
    return result;
  }

  Buyer buyer() {
    return buyer;
  }

  String worker() {
    return buyer.call.worker().name();
  }

  /** Tells the call what its worker has now; the shards as they were granted. */
  List<Shard> settled() {
    buyer.call.wrote(next);
    buyer.took(row, shards.stream().map(Stored::value).toList());
    return granted;
  }
}
