package dev.mayfly.core.control;

import dev.mayfly.core.lease.Market;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Shards that were lost too often on spot machines, for the calls of others. */
final class SpentShards {
  private static final int READ = 100;
  private static final int CHILDREN = 16;

  private final Deck deck;
  private final Dry dry;

  SpentShards(Deck deck) {
    this.deck = deck;
    dry = new Dry(deck);
  }

  /**
   * @param wants of the calls that may have such shards
   * @param shards cut up as the market says
   */
  record Offer(List<Market.Buyer> wants, List<Stored<Shard>> shards) {}

  void workAppeared() {
    dry.clear();
  }

  /** Empty if the job has none, or nobody may have them. It costs a read if somebody may. */
  Optional<Offer> of(String cluster, Turns.Row row, Collection<Buyer> buyers) {
    if (row.preemptions() == 0 || dry.has(row.job())) return Optional.empty();
    var wants =
        buyers.stream()
            .filter(b -> !b.call.isStale() && row.takesSpent(b.call.worker()))
            .map(b -> new Market.Buyer(b.call.worker().name(), b.want(row), b.isIdle()))
            .filter(b -> b.want() > 0)
            .toList();
    if (wants.isEmpty()) return Optional.empty();
    var begun = dry.era();
    var found = deck.ledger().query(new Query.SpentShards(cluster, row.job(), READ)).some();
    if (found.isEmpty()) {
      dry.add(row.job(), begun);
      return Optional.empty();
    }
    return Optional.of(new Offer(wants, cut(found, wants)));
  }

  private List<Stored<Shard>> cut(List<Stored<Shard>> found, List<Market.Buyer> wants) {
    var cuts = Market.cuts(found.stream().map(Stored::value).toList(), wants, CHILDREN);
    var splits =
        found.stream()
            .map(s -> new Split(deck, s, cuts.getOrDefault(s.value(), List.of())))
            .toList();
    deck.alarms().all(splits.stream().filter(Split::cuts).toList());
    // What was cut off without an attempt is READY, and for everybody.
    return splits.stream()
        .flatMap(s -> s.parts().stream())
        .filter(s -> s.value().state() == Shard.State.SPENT)
        .toList();
  }
}
