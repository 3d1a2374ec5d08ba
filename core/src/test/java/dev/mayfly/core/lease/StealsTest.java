package dev.mayfly.core.lease;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StealsTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  private static Shard leased(long size) {
    var shard = Shard.of(new Key.OfShard("c", "j", 0), size, Bits.none(0));
    return Shards.grant(shard, new Shard.Owner("w", 1), T0);
  }

  private static Shard progressed(Shard shard, long done, long seconds) {
    var bits = Bits.where(0, done, i -> true);
    var report =
        new SyncReport.Lease(
            new LeaseRef("j", 0, 1), shard.end(), bits, List.of(), List.of(), done, false);
    return Shards.checkpoint(shard, report, T0.plusSeconds(seconds));
  }

  private static OptionalLong cut(Shard shard, long slots, long seconds) {
    return Steals.cut(shard, slots, ofSeconds(10), ofSeconds(20), T0.plusSeconds(seconds));
  }

  @Test
  void aLeaseThatJustBeganIsLeftAlone() {
    assertThat(cut(leased(100), 2, 5)).isEmpty();
  }

  @Test
  void halfOfWhatCannotHaveBegunIsTaken() {
    assertThat(cut(leased(102), 2, 60)).hasValue(52);
  }

  @Test
  void whatTheHolderRunsInTenSecondsIsLeftToIt() {
    var shard = progressed(leased(1_000), 100, 100);

    // One a second: from 100 on it may have begun 2 slots and what 50 + 10 seconds make.
    assertThat(cut(shard, 2, 150).getAsLong()).isEqualTo(162 + (1_000 - 162) / 2);
  }

  @Test
  void aShardThatEndsSoonIsLeftAlone() {
    var shard = progressed(leased(110), 90, 90);

    assertThat(cut(shard, 2, 91)).isEmpty();
  }

  @Test
  void aShardIsNotCutTwiceInTenSeconds() {
    var once = Shards.cut(leased(100), 50, T0.plusSeconds(60)).rest();

    assertThat(cut(once, 2, 65)).isEmpty();
    assertThat(cut(once, 2, 71)).isPresent();
  }

  @Test
  void theLastTaskBeyondTheSlotsIsTaken() {
    assertThat(cut(leased(3), 2, 60)).hasValue(2);
    assertThat(cut(leased(2), 2, 60)).isEmpty();
  }

  @Test
  void whatNobodyHoldsIsNotStolen() {
    assertThat(cut(Shard.of(new Key.OfShard("c", "j", 0), 100, Bits.none(0)), 2, 60)).isEmpty();
  }

  @Test
  void ofLongTasksAllIsTakenThatTheirHolderHasToldNotToHaveBegun() {
    var begun =
        new SyncReport.Lease(
            new LeaseRef("j", 0, 1), 6, Bits.none(0), List.of(), List.of(0L, 1L), 2, false);
    var shard = Shards.checkpoint(leased(6), begun, T0.plusSeconds(20));

    assertThat(cut(shard, 2, 300)).hasValue(4);
    assertThat(Steals.rest(shard, 2, ofSeconds(10), T0.plusSeconds(300))).hasValue(2);
  }

  @Test
  void ofTasksOfAnHourNoneIsThoughtToHaveBegunSinceTheLastWasTold() {
    var shard = progressed(leased(10), 4, 2 * 3_600);

    assertThat(Steals.rest(shard, 2, ofSeconds(10), T0.plusSeconds(2 * 3_600 + 60))).hasValue(4);
  }
}
