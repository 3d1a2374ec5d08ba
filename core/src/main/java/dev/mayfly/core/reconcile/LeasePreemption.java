package dev.mayfly.core.reconcile;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.lease.StealPolicy;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes the rest of a lease that is to give way: what its holder has begun, or may have, stays with
 * it. A repeat finds nothing more to take.
 */
final class LeasePreemption {
  private final Ports ports;
  private final Timings timings;

  /** When a look at a cluster is due that this process asked for. */
  private final Map<String, Instant> looks = new ConcurrentHashMap<>();

  LeasePreemption(Ports ports, Timings timings) {
    this.ports = ports;
    this.timings = timings;
  }

  void preempt(String cluster, PlanDecision.PreemptLease preemptLease) {
    var lease = preemptLease.lease();
    var versionedDocument =
        ports.ledger().read(new DocumentKey.OfShard(cluster, lease.job(), lease.start()));
    if (versionedDocument.isEmpty() || versionedDocument.get().value().epoch() != lease.epoch())
      return;
    var now = ports.clock().instant();
    var shard = versionedDocument.get().value();
    var from = StealPolicy.allowedFrom(shard, timings.stealPause());
    if (shard.state() == Shard.State.LEASED && from.isAfter(now)) {
      lookAgain(cluster, preemptLease.worker(), from);
      return;
    }
    var at = StealPolicy.firstUnstarted(shard, preemptLease.slots(), timings.stealPause(), now);
    if (at.isEmpty()) return;
    var cut = ShardTransitions.cut(shard, at.getAsLong(), now);
    // Somebody else's change is looked at in the next round.
    ports
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(cut.rest(), versionedDocument.get().version()),
                new LedgerWrite.Create(cut.child()),
                new LedgerWrite.Notify(cluster, now, true, List.of(preemptLease.worker()))));
  }

  /**
   * Who waits for the room need not wait for the tick. Only saves time: where the alarm rings late
   * or never, the tick looks.
   */
  private void lookAgain(String cluster, String worker, Instant from) {
    var known = looks.getOrDefault(cluster, Instant.MIN);
    if (known.isAfter(ports.clock().instant())) return;
    looks.put(cluster, from);
    ports
        .alarms()
        .callAt(from, () -> TriggerSender.send(ports.bus(), Trigger.Look.worker(cluster, worker)));
  }
}
