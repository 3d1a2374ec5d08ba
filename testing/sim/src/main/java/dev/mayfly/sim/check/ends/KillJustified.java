package dev.mayfly.sim.check.ends;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * S4: no agent kills wanted work. While the ledger has the task's lease, its job runs, and no fault
 * struck its ready worker, only the task's own timeout may end it.
 */
public final class KillJustified implements Invariant {
  private final GroundTruth groundTruth;
  private final Duration memory;

  public KillJustified(GroundTruth groundTruth, Duration memory) {
    this.groundTruth = groundTruth;
    this.memory = memory;
  }

  @Override
  public void killAsked(TaskProcess process, boolean overdue) {
    if (overdue || groundTruth.unreachable(memory) || !leftInPeace(process.worker())) return;
    var lease = process.attempt().lease();
    // Agents of a cluster with unreadable documents are partitioned, and end their tasks.
    var worker =
        groundTruth.all(Worker.class).stream()
            .filter(w -> w.name().equals(process.worker()))
            .findFirst()
            .orElseThrow();
    var wanted =
        worker.state() instanceof WorkerState.Ready
            && !groundTruth.disturbed(worker.cluster(), memory)
            && groundTruth.job(worker.cluster(), lease.job()).filter(Job::running).isPresent()
            && !isOutranked(worker, process)
            && held(worker, process).anyMatch(shard -> leased(shard, process));
    if (wanted) throw new InvariantViolation("S4", process + " is to be killed and is wanted");
  }

  /** Whether it ends for a job of a higher priority, which has an invariant of its own. */
  private static boolean isOutranked(Worker worker, TaskProcess process) {
    return worker.held().stream()
        .filter(held -> held.known().equals(process.attempt().lease()))
        .flatMap(held -> held.outranked().orElse(List.of()).stream())
        .anyMatch(it -> it.index() == process.attempt().index());
  }

  /** The shards that are leased to the worker as the lease of the process, or as parts of it. */
  private Stream<Shard> held(Worker worker, TaskProcess process) {
    return worker.held().stream()
        .filter(h -> h.known().equals(process.attempt().lease()))
        .map(h -> new DocumentKey.OfShard(worker.cluster(), h.job(), h.start()))
        .flatMap(key -> groundTruth.ledger().readSpoiled(key).stream())
        .map(VersionedDocument::value);
  }

  private boolean leftInPeace(String worker) {
    return !groundTruth.inTrouble(worker)
        && groundTruth
            .troubledAt(worker)
            .filter(at -> at.plus(memory).isAfter(groundTruth.now()))
            .isEmpty();
  }

  private static boolean leased(Shard shard, TaskProcess process) {
    var ended = shard.gang().filter(g -> g.phase() instanceof GangPhase.Kill || g.phase().ended());
    return ended.isEmpty()
        && shard.state() == Shard.State.LEASED
        && shard.has(process.attempt().index())
        // The order to end a task that a user stopped may arrive after a retry.
        && !shard.recalled().has(process.attempt().index())
        && !shard.again().has(process.attempt().index())
        && !shard.done().has(process.attempt().index());
  }
}
