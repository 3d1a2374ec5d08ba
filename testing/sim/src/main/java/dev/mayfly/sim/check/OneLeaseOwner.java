package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.List;
import java.util.Optional;

/**
 * I4: both documents of a lease agree: a leased shard names its owner, and the owner's document
 * names the shard with the same epoch. With disjoint ranges (I1b) a task has one owner.
 */
final class OneLeaseOwner implements Invariant {
  private static final String ID = "I4";

  private final GroundTruth groundTruth;

  OneLeaseOwner(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.after().orElse(null) instanceof Shard s) owned(s);
      if (change.after().orElse(null) instanceof Worker w) holds(w);
      if (change.before().orElse(null) instanceof Worker w) released(w);
    }
  }

  private void owned(Shard shard) {
    var leased = shard.state() == Shard.State.LEASED;
    if (leased != shard.owner().isPresent())
      throw new InvariantViolation(
          ID, shard.key().path() + " is " + shard.state() + " with owner " + shard.owner());
    if (!leased) return;
    var owner = groundTruth.worker(shard.cluster(), shard.owner().get().worker());
    if (owner.isEmpty() || !named(owner.get(), shard))
      throw new InvariantViolation(
          ID,
          "%s at epoch %d is leased to %s, which holds %s"
              .formatted(
                  shard.key().path(),
                  shard.epoch(),
                  shard.owner().get(),
                  owner.map(w -> w.held().stream().map(Worker.Held::ref).toList())));
  }

  private static boolean named(Worker worker, Shard shard) {
    return worker.held().stream()
        .anyMatch(h ->
            h.job().equals(shard.job())
                && h.start() == shard.start()
                && h.epoch() == shard.epoch());
  }

  private void holds(Worker worker) {
    for (var held : worker.held()) {
      var shard = shard(worker, held);
      if (shard.filter(s -> isOf(s, worker.name())).isEmpty())
        throw new InvariantViolation(
            ID,
            worker.name()
                + " holds "
                + held.ref()
                + ", whose shard is "
                + shard.map(OneLeaseOwner::text));
    }
  }

  /** A gang's task belongs to all its workers. */
  private static boolean isOf(Shard shard, String worker) {
    return shard
        .gang()
        .map(run -> run.workers().contains(worker))
        .orElseGet(() -> shard.owner().filter(o -> o.worker().equals(worker)).isPresent());
  }

  /** Leases that the worker no longer holds must be free or another worker's. */
  private void released(Worker before) {
    for (var held : before.held()) shard(before, held).ifPresent(this::owned);
  }

  private Optional<Shard> shard(Worker worker, Worker.Held held) {
    return groundTruth
        .ledger()
        .readSpoiled(new DocumentKey.OfShard(worker.cluster(), held.job(), held.start()))
        .map(VersionedDocument::value);
  }

  private static String text(Shard shard) {
    return shard.state() + " at epoch " + shard.epoch() + " of " + shard.owner();
  }
}
