package dev.mayfly.core.state.worker;

import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.MachineLife;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a worker is given up.
 *
 * @param reason for people
 */
record LossCause(FailureCause cause, String reason) {
  /**
   * What it is once the machine's life is over: then the cloud deleted the machine, which was
   * neither lost nor preempted.
   */
  LossCause named(Ledger ledger, Worker worker, Instant now) {
    if (cause != FailureCause.LOST && cause != FailureCause.PREEMPTED) return this;
    return life(ledger, worker)
        .filter(life -> life.isOver(now))
        .map(life -> new LossCause(FailureCause.END_OF_LIFE, life.ended()))
        .orElse(this);
  }

  /** An unreadable cluster must not keep its workers from being given up. */
  private static Optional<MachineLife> life(Ledger ledger, Worker worker) {
    try {
      return ledger
          .read(new DocumentKey.OfCluster(worker.cluster()))
          .flatMap(cluster -> MachineLife.of(cluster.value(), worker));
    } catch (UnreadableDocumentException _) {
      return Optional.empty();
    }
  }
}
