package dev.mayfly.sim.check;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * I1: a task is always in exactly one state; a done task stays done unless a user deletes its
 * sentinel, and a task fails for good only when its own attempts are used up. Attempts ended by the
 * cloud or by Mayfly have a separate budget.
 */
final class NoTaskLost implements Invariant {
  private static final String ID = "I1";

  private final GroundTruth groundTruth;
  private final Map<String, BitSet> done = new TreeMap<>();
  private final Map<String, BitSet> failed = new TreeMap<>();

  NoTaskLost(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.document() instanceof Shard && change.after().isEmpty())
        throw new InvariantViolation(ID, change.document().key().path() + " was deleted");
      if (change.after().orElse(null) instanceof Shard shard) look(shard);
    }
  }

  /** Tasks whose completion the restore erased still have their sentinels. */
  @Override
  public void restored() {
    done.clear();
    failed.clear();
    groundTruth.all(Shard.class).forEach(this::look);
  }

  private void look(Shard shard) {
    var knownDone = done.computeIfAbsent(shard.job(), j -> new BitSet());
    var knownFailed = failed.computeIfAbsent(shard.job(), j -> new BitSet());
    inside(shard, shard.done());
    inside(shard, shard.failed());
    forgets(shard, knownDone, shard.done(), "done");
    shard.failed().indexes().forEach(i -> mayFail(shard, i, knownFailed.get((int) i)));
    shard.done().indexes().forEach(i -> knownDone.set((int) i));
    shard.failed().indexes().forEach(i -> knownFailed.set((int) i));
    if (shard.state() == Shard.State.ENDED && shard.open() != 0)
      throw new InvariantViolation(
          ID, name(shard) + " has ended with " + shard.open() + " open tasks");
  }

  private static void inside(Shard shard, TaskSet taskSet) {
    taskSet
        .indexes()
        .filter(i -> !shard.has(i))
        .findFirst()
        .ifPresent(i -> {
          throw new InvariantViolation(
              ID, name(shard) + " tells of task " + i + ", which it does not hold");
        });
  }

  private void forgets(Shard shard, BitSet known, TaskSet now, String what) {
    for (var i = known.nextSetBit((int) shard.start());
        i >= 0 && i < shard.end();
        i = known.nextSetBit(i + 1))
      if (!now.has(i) && !groundTruth.sentinels().isDeleted(shard.job(), i))
        throw new InvariantViolation(ID, name(shard) + " forgets that task " + i + " is " + what);
  }

  private void mayFail(Shard shard, long index, boolean known) {
    if (shard.done().has(index))
      throw new InvariantViolation(
          ID, name(shard) + ": task " + index + " is both done and failed");
    if (known || shard.stopped().has(index)) return;
    var retries =
        groundTruth.job(shard.cluster(), shard.job()).map(Job::spec).orElseThrow().retries();
    var own = groundTruth.ownFaults(shard.job(), index);
    var begun = groundTruth.begun(shard.job(), index);
    if (own < retries.failures() && begun < retries.infrastructure())
      throw new InvariantViolation(
          ID,
          "%s: task %d failed for good after %d attempts that ended by its own fault, of %d"
              .formatted(name(shard), index, own, retries.failures()));
  }

  private static String name(Shard shard) {
    return "shard " + shard.job() + "/" + shard.start() + ".." + shard.end();
  }
}
