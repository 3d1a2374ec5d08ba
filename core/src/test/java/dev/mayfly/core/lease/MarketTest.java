package dev.mayfly.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarketTest {
  private static Shard shard(long start, long end) {
    return Shard.of(new Key.OfShard("c", "j", start), end, Bits.none(start));
  }

  private static Market.Buyer buyer(String name, long want) {
    return new Market.Buyer(name, want);
  }

  @Test
  void everyWorkerGetsSomethingBeforeAnybodyGetsMore() {
    var deals =
        Market.deal(
            List.of(buyer("a", 10), buyer("b", 10)),
            List.of(shard(0, 1), shard(1, 2), shard(2, 3)));

    assertThat(deals.get("a")).extracting(Shard::start).containsExactly(0L, 2L);
    assertThat(deals.get("b")).extracting(Shard::start).containsExactly(1L);
  }

  @Test
  void nobodyGetsMuchMoreThanItWants() {
    var deals = Market.deal(List.of(buyer("a", 2)), List.of(shard(0, 1), shard(1, 2), shard(2, 3)));

    assertThat(deals.get("a")).hasSize(2);
  }

  @Test
  void whoWantsNothingGetsNothing() {
    assertThat(Market.deal(List.of(buyer("a", 0)), List.of(shard(0, 1)))).isEmpty();
  }

  @Test
  void oneShardForThreeWorkersIsCutInThree() {
    var cuts = Market.cuts(List.of(shard(0, 9)), 3, 16);

    assertThat(cuts.values()).containsExactly(List.of(3L, 6L));
  }

  @Test
  void theLargestIsCutFirst() {
    var cuts = Market.cuts(List.of(shard(0, 2), shard(2, 12)), 3, 16);

    assertThat(cuts.keySet()).extracting(Shard::start).containsExactly(2L);
  }

  @Test
  void aSingleTaskIsNotCut() {
    assertThat(Market.cuts(List.of(shard(0, 1)), 5, 16)).isEmpty();
  }

  @Test
  void cutsDivideWhatIsOpenAndNotWhatIsDone() {
    var done = Bits.where(0, 10, i -> i < 6);
    var shard = Shard.of(new Key.OfShard("c", "j", 0), 10, done);

    assertThat(Market.cuts(List.of(shard), 2, 16).get(shard)).containsExactly(8L);
  }

  @Test
  void thereAreNeverMoreChildrenThanAllowed() {
    var shard = shard(0, 1_000);

    assertThat(Market.cuts(List.of(shard), 100, 16).get(shard)).hasSize(15);
  }
}
