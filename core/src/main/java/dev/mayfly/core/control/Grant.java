package dev.mayfly.core.control;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.List;

/**
 * Shards for one worker, in one batch with its document. It runs beside the others of its pass, and
 * is settled when all of them have run.
 */
final class Grant implements Runnable {
  enum Result {
    GRANTED,
    WORKER_CHANGED,
    SHARD_TAKEN
  }

  private final Deck deck;
  private final Turns.Row row;
  private final Grants.Buyer buyer;
  private final List<Stored<Shard>> shards;
  private final List<Shard> granted = new ArrayList<>();
  private Stored<Worker> next;
  private Result result = Result.SHARD_TAKEN;

  Grant(Deck deck, Turns.Row row, Grants.Buyer buyer, List<Stored<Shard>> shards) {
    this.deck = deck;
    this.row = row;
    this.buyer = buyer;
    this.shards = shards;
    next = buyer.call.stored();
  }

  @Override
  public void run() {
    var now = deck.clock().instant();
    var worker = buyer.call.worker();
    var held = new ArrayList<>(worker.held());
    var writes = new ArrayList<Write>();
    for (var stored : shards) {
      var shard = Shards.grant(stored.value(), new Shard.Owner(worker.name(), worker.epoch()), now);
      granted.add(shard);
      writes.add(new Write.Update(shard, stored.version()));
      held.add(
          new Worker.Held(row.job(), shard.start(), shard.epoch(), row.need(), now, List.of()));
    }
    var ready = (WorkerState.Ready) worker.state();
    // With this call's number in it, an older one that waits elsewhere grants nothing on top.
    var report = buyer.call.report;
    var holding =
        worker
            .holding(held)
            .with(new WorkerState.Ready(ready.since(), java.util.Optional.empty()))
            .heard(report.incarnation(), report.seq(), report.total(), now);
    writes.addFirst(new Write.Update(holding, buyer.call.stored().version()));
    switch (deck.ledger().commit(writes)) {
      case Committed.Done done -> {
        next = new Stored<>(holding, done.versions().getFirst());
        result = Result.GRANTED;
      }
      case Committed.Conflict c when c.key().equals(worker.key()) -> result = Result.WORKER_CHANGED;
      case Committed.Conflict c -> result = Result.SHARD_TAKEN;
    }
  }

  Result result() {
    return result;
  }

  Grants.Buyer buyer() {
    return buyer;
  }

  String worker() {
    return buyer.call.worker().name();
  }

  /** Tells the call what its worker has now; the shards as they were granted. */
  List<Shard> settled() {
    buyer.call.now(next);
    buyer.took(row, shards.stream().map(Stored::value).toList());
    return granted;
  }
}
