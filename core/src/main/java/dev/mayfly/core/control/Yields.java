package dev.mayfly.core.control;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.lease.Steals;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes the rest of a lease that is to give way: what its holder has begun, or may have, stays with
 * it. A repeat finds nothing more to take.
 */
final class Yields {
  private final Ports ports;
  private final Rules rules;

  /** When a look at a cluster is due that this process asked for. */
  private final Map<String, Instant> looks = new ConcurrentHashMap<>();

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
    var from = Steals.from(shard, rules.stealPause());
    if (shard.state() == Shard.State.LEASED && from.isAfter(now)) {
      lookAgain(cluster, yield.worker(), from);
      return;
    }
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

  /**
   * Who waits for the room need not wait for the tick. Only saves time: where the alarm rings late
   * or never, the tick looks.
   */
  private void lookAgain(String cluster, String worker, Instant from) {
    var known = looks.getOrDefault(cluster, Instant.MIN);
    if (known.isAfter(ports.clock().instant())) return;
    looks.put(cluster, from);
    ports.alarms().at(from, () -> Hints.send(ports.bus(), Hint.Look.worker(cluster, worker)));
  }
}
