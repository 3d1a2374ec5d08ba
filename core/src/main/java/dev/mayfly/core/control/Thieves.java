package dev.mayfly.core.control;

import dev.mayfly.core.lease.Market;
import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.lease.Steals;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Takes the rest of leased shards for workers that have nothing to do. */
final class Thieves {
  private static final int LOOKED_AT = 64;

  /** Looks in vain become rarer, up to so many pauses from one to the next. */
  private static final int RAREST = 6;

  /** The last look at a job's leases, and how many pauses until the next. */
  private record Look(Instant at, int pauses) {}

  private final Deck deck;
  private final GrantListener listener;
  private final Map<String, Look> looked = new HashMap<>();

  Thieves(Deck deck, GrantListener listener) {
    this.deck = deck;
    this.listener = listener;
  }

  /**
   * True if there is a new READY shard of the job; at most one look in {@link Rules#stealPause}.
   */
  boolean steal(String cluster, Turns.Row row, List<Market.Buyer> idle) {
    var now = deck.clock().instant();
    var last = looked.getOrDefault(row.job(), new Look(Instant.EPOCH, 1));
    var pause = deck.rules().stealPause();
    if (idle.isEmpty() || !Pause.over(last.at(), pause.multipliedBy(last.pauses()), now))
      return false;
    looked.values().removeIf(l -> Pause.over(l.at(), pause.multipliedBy(2 * RAREST), now));
    looked.put(row.job(), new Look(now, Math.min(RAREST, 2 * last.pauses())));
    var stolen = 0;
    var victims = deck.ledger().query(new Query.LeasedShards(cluster, row.job(), LOOKED_AT)).some();
    for (var victim : victims) {
      if (stolen >= idle.size()) break;
      if (steal(victim, row, now)) stolen++;
    }
    if (stolen > 0) looked.put(row.job(), new Look(now, 1));
    return stolen > 0;
  }

  private boolean steal(Stored<Shard> victim, Turns.Row row, Instant now) {
    var shard = victim.value();
    if (shard.open() < 2 || shard.owner().isEmpty() || cut(shard, 1, now).isEmpty()) return false;
    // What was lost too often is where it may be; the thief may be a spot machine.
    if (shard.spent(row.preemptions())) return false;
    var key = new Key.OfWorker(shard.cluster(), shard.owner().get().worker());
    var owner = deck.ledger().readAll(List.of(key));
    if (!owner.unreadable().isEmpty()) return false;
    var slots =
        owner.some().stream().findFirst().map(o -> o.value().total().slots(row.need())).orElse(1L);
    var at = cut(shard, slots, now);
    if (at.isEmpty()) return false;
    var cut = Shards.cut(shard, at.getAsLong(), now);
    listener.forget(shard.owner().get().worker());
    return deck.ledger()
        .commit(
            List.of(
                new Write.Update(cut.rest(), victim.version()),
                new Write.Create(cut.child()),
                new Write.Notify(
                    shard.cluster(), now, false, List.of(shard.owner().get().worker()))))
        .done();
  }

  private OptionalLong cut(Shard shard, long slots, Instant now) {
    return Steals.cut(shard, slots, deck.rules().stealPause(), deck.rules().stealRest(), now);
  }
}
