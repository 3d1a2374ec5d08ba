package dev.mayfly.core.reconcile.preemption;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.lease.StealPolicy;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes the unstarted rest of a lease that must give way. Tasks that its worker has started, or may
 * have, stay. A repeat finds nothing more to take.
 */
public final class LeasePreemption {
  private final Context context;

  /** When the next reconcile that this process scheduled for a cluster is due. */
  private final Map<String, Instant> scheduledReconciles = new ConcurrentHashMap<>();

  public LeasePreemption(Context context) {
    this.context = context;
  }

  /** Takes back what the plan decided, as far as it has not started. */
  public void preempt(String cluster, PlanDecision.PreemptLease preemptLease) {
    var lease = preemptLease.lease();
    var storedShard =
        context.ledger().read(new DocumentKey.OfShard(cluster, lease.job(), lease.start()));
    if (storedShard.isEmpty() || storedShard.get().value().epoch() != lease.epoch()) return;
    var now = context.clock().instant();
    var shard = storedShard.get().value();
    var from = StealPolicy.allowedFrom(shard, context.timings().stealPause());
    if (shard.state() == Shard.State.LEASED && from.isAfter(now)) {
      reconcileLater(cluster, preemptLease.worker(), from);
      return;
    }
    var at =
        StealPolicy.firstUnstarted(
            shard, preemptLease.slots(), context.timings().stealPause(), now);
    if (at.isEmpty()) return;
    var cut = ShardTransitions.cut(shard, at.getAsLong(), now);
    // On a conflict the next reconcile decides again.
    context
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(cut.rest(), storedShard.get().version()),
                new LedgerWrite.Create(cut.child()),
                new LedgerWrite.Signal(cluster, now, true, List.of(preemptLease.worker()))));
  }

  /**
   * Spares the waiting job the wait for the tick. This only saves time: if the alarm is late or
   * lost, the tick reconciles.
   */
  private void reconcileLater(String cluster, String worker, Instant from) {
    var known = scheduledReconciles.getOrDefault(cluster, Instant.MIN);
    if (known.isAfter(context.clock().instant())) return;
    scheduledReconciles.put(cluster, from);
    context
        .executor()
        .callAt(
            from,
            () -> TriggerSender.send(context.bus(), Trigger.Reconcile.worker(cluster, worker)));
  }
}
