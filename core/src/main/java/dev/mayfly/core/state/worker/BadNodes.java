package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records that a machine is bad, once in its life: the event's id follows from the worker and from
 * when it became what it is, so that a repeat by any process finds the event there.
 */
public final class BadNodes {
  private final Context context;

  /** What this process recorded, or found recorded. */
  private final Set<String> recorded = ConcurrentHashMap.newKeySet();

  public BadNodes(Context context) {
    this.context = context;
  }

  /** A worker can run no task, and will not recover by itself. A repeat changes nothing. */
  public void unfit(Worker worker) {
    // The same for each repeat, and new when a static worker joins again.
    var since = worker.firstSyncAt().orElse(worker.createdAt());
    worker.unfit().ifPresent(lacks -> record(worker, since, "unfit", lacks));
  }

  /**
   * The machine of a worker is running and is to be deleted. If it was given up for its silence,
   * the cloud did not take it. A repeat changes nothing.
   */
  void stillThere(Worker worker) {
    if (worker.notice().isEmpty()
        && worker.state() instanceof WorkerState.Lost(Instant at, FailureCause cause, String why)
        && LossNotifications.maySilentlyBeTaken(worker, cause))
      record(worker, at, "silent", why + "; the cloud did not take the machine");
  }

  private void record(Worker worker, Instant since, String what, String why) {
    var id = EventRecord.repeatableId(since, what, worker.key().path() + " " + since);
    if (!recorded.add(id)) return;
    var event =
        new EventRecord(
                worker.cluster(),
                id,
                context.clock().instant(),
                "worker/" + worker.name(),
                what,
                why)
            .with(new PendingNotification(NotificationKind.NODE_BAD));
    try {
      var _ = context.ledger().commit(List.of(new LedgerWrite.Create(event)));
    } catch (RuntimeException unknown) {
      recorded.remove(id);
      throw unknown;
    }
  }
}
