package dev.mayfly.sim.check;

import dev.mayfly.core.model.GangPhase;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Stored;
import java.time.Duration;

/**
 * Nobody kills work that is wanted: while a task's lease is the one that the ledger has, its job
 * runs, its worker is ready and was left in peace, nothing but its own timeout may end it.
 */
final class KillIsJust implements Check {
  private final Truth truth;
  private final Duration memory;

  KillIsJust(Truth truth, Duration memory) {
    this.truth = truth;
    this.memory = memory;
  }

  @Override
  public void killAsked(Proc process, boolean overdue) {
    if (overdue || truth.unreachable(memory) || !leftInPeace(process.worker())) return;
    var lease = process.attempt().lease();
    // Agents of a cluster that nobody can read are cut off, and end their tasks.
    var worker =
        truth.all(Worker.class).stream()
            .filter(w -> w.name().equals(process.worker()))
            .findFirst()
            .orElseThrow();
    var shard = truth.ledger().truly(new Key.OfShard(worker.cluster(), lease.job(), lease.start()));
    var wanted =
        worker.state() instanceof WorkerState.Ready
            && !truth.disturbed(worker.cluster(), memory)
            && truth.job(worker.cluster(), lease.job()).filter(Job::running).isPresent()
            && shard.map(Stored::value).filter(s -> leased(s, process)).isPresent();
    if (wanted) throw new Violation("S4", process + " is to be killed and is wanted");
  }

  private boolean leftInPeace(String worker) {
    return !truth.inTrouble(worker)
        && truth.troubledAt(worker).filter(at -> at.plus(memory).isAfter(truth.now())).isEmpty();
  }

  private static boolean leased(Shard shard, Proc process) {
    var ended = shard.gang().filter(g -> g.phase() instanceof GangPhase.Kill || g.phase().ended());
    return ended.isEmpty()
        && shard.state() == Shard.State.LEASED
        && shard.epoch() == process.attempt().lease().epoch()
        && shard.has(process.attempt().index())
        && !shard.done().has(process.attempt().index());
  }
}
