package dev.mayfly.core.control;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.lease.Market;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds a job's READY shards for the calls of a pass, and cuts them up for those that want them.
 */
final class Supply {
  private static final int CHILDREN = 16;
  private static final int READ = 100;

  private final Deck deck;
  private final Ring ring;

  Supply(Deck deck, Ring ring) {
    this.deck = deck;
    this.ring = ring;
  }

  /**
   * READY shards of this instance's own arc of the ring, or of the others' when there is none left
   * in it; cut up if there are too few.
   */
  List<Stored<Shard>> ready(String cluster, Job job, List<Market.Buyer> wants, long slices) {
    var many = Math.min(READ, wants.stream().mapToLong(w -> shards(w, job)).sum());
    var arc = ring.arc(job.tasks());
    var from = arc.from();
    var limit = (int) Math.max(many, wants.size());
    var found = deck.ledger().query(new Query.ReadyShards(cluster, job.uid(), from, limit)).some();
    if (found.isEmpty() && from > 0)
      found = deck.ledger().query(new Query.ReadyShards(cluster, job.uid(), 0, limit)).some();
    var own = found.stream().filter(s -> arc.has(s.value().start())).toList();
    if (!own.isEmpty()) found = own;
    return found.isEmpty() ? found : split(found, wants, slices);
  }

  /** How many shards to look at for it: some are smaller than they were cut at first. */
  private static long shards(Market.Buyer buyer, Job job) {
    return Math.min(READ, Math.min(buyer.want(), 2 + buyer.want() / job.shardSize()));
  }

  /** The shards, cut up as the market says: side by side, for they share nothing. */
  private List<Stored<Shard>> split(
      List<Stored<Shard>> found, List<Market.Buyer> wants, long slices) {
    var shards = found.stream().map(Stored::value).toList();
    var cuts = new HashMap<>(Market.cuts(shards, wants, CHILDREN));
    var single = shards.stream().filter(s -> s.size() == 1).count();
    for (var shard : shards)
      if (single++ < slices && shard.size() > 1) cuts.put(shard, Market.first(shard));
    var splits =
        found.stream()
            .map(s -> new Split(deck, s, cuts.getOrDefault(s.value(), List.of())))
            .toList();
    deck.alarms().all(splits.stream().filter(Split::cuts).toList());
    return splits.stream().flatMap(s -> s.parts().stream()).toList();
  }

  /** A slice runs one task on all its hosts, and so takes a shard that has one. */
  static Map<String, List<Shard>> deals(
      Map<String, Buyer> buyers, List<Market.Buyer> wants, List<Shard> ready) {
    var slices =
        wants.stream().filter(w -> requireNonNull(buyers.get(w.worker())).isSlice()).toList();
    if (slices.isEmpty()) return Market.deal(wants, ready);
    var single = ready.stream().filter(s -> s.size() == 1).toList();
    var deals = new HashMap<>(Market.deal(slices, single));
    var taken = deals.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    deals.putAll(
        Market.deal(
            wants.stream().filter(w -> !slices.contains(w)).toList(),
            ready.stream().filter(s -> !taken.contains(s)).toList()));
    return deals;
  }
}
