package dev.mayfly.core.control;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.lease.Steals;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.port.Write;
import java.util.List;

/**
 * Takes the rest of a lease that is to give way: what its holder has begun, or may have, stays with
 * it. A repeat finds nothing more to take.
 */
final class Yields {
  private final Ports ports;
  private final Rules rules;

  Yields(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
  }

  void take(String cluster, Decision.Yield yield) {
    var lease = yield.lease();
    var stored = ports.ledger().read(new Key.OfShard(cluster, lease.job(), lease.start()));
    if (stored.isEmpty() || stored.get().value().epoch() != lease.epoch()) return;
    var now = ports.clock().instant();
    var shard = stored.get().value();
    var at = Steals.rest(shard, yield.slots(), rules.stealPause(), now);
    if (at.isEmpty()) return;
    var cut = Shards.cut(shard, at.getAsLong(), now);
    // Somebody else's change is looked at in the next round.
    ports
        .ledger()
        .commit(
            List.of(
                new Write.Update(cut.rest(), stored.get().version()),
                new Write.Create(cut.child()),
                new Write.Notify(cluster, now, true, List.of(yield.worker()))));
  }
}
