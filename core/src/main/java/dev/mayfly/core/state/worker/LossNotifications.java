package dev.mayfly.core.state.worker;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.Ledger;
import java.util.Optional;

/**
 * Of which lost workers people are notified.
 *
 * <p><b>Must:</b> tell of every lost reservation, whatever took it; never call a machine bad that
 * the cloud took back, or that Mayfly ended itself. A spot or flex-start machine that falls silent
 * was usually taken without a word: it is bad only if it is still there when it is to be deleted,
 * which {@link BadNodes#stillThere} checks.
 */
final class LossNotifications {
  private final Ledger ledger;

  LossNotifications(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * What a loss is told as; empty if it is not. Reads the cluster for a slice whose provisioning
   * does not say that it is reserved.
   */
  Optional<NotificationKind> of(Worker worker, FailureCause failureCause) {
    if (failureCause.budget() == FailureCause.Budget.PLATFORM) return Optional.empty();
    if (isReservation(worker)) return Optional.of(NotificationKind.RESERVATION_LOST);
    var taken = failureCause == FailureCause.PREEMPTED || worker.notice().isPresent();
    return taken || maySilentlyBeTaken(worker, failureCause)
        ? Optional.empty()
        : Optional.of(NotificationKind.NODE_BAD);
  }

  /** Whether its silence does not show that anything is wrong with the machine. */
  static boolean maySilentlyBeTaken(Worker worker, FailureCause failureCause) {
    return failureCause == FailureCause.LOST
        && (worker.provisioning() == Provisioning.SPOT
            || worker.provisioning() == Provisioning.FLEX_START);
  }

  private boolean isReservation(Worker worker) {
    if (worker.provisioning() == Provisioning.RESERVED) return true;
    // Only TPUs can be manual slices.
    return TpuTypes.isName(worker.machineType()) && isManual(worker);
  }

  /** An unreadable cluster must not keep its workers from being given up. */
  private boolean isManual(Worker worker) {
    try {
      return ledger
          .read(new DocumentKey.OfCluster(worker.cluster()))
          .flatMap(stored -> stored.value().spec().pool(worker.pool()))
          .filter(PoolSpec::manual)
          .isPresent();
    } catch (UnreadableDocumentException _) {
      return false;
    }
  }
}
