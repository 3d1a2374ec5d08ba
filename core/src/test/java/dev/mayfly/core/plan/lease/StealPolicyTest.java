package dev.mayfly.core.plan.lease;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StealPolicyTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  private static Shard leased(long size) {
    var shard = Shard.of(new DocumentKey.OfShard("c", "j", 0), size, TaskSet.none(0));
    return ShardTransitions.grant(shard, new Shard.Owner("w", 1), T0);
  }

  private static Shard progressed(Shard shard, long done, long seconds) {
    var taskSet = TaskSet.where(0, done, i -> true);
    var report =
        new SyncReport.Lease(
            new LeaseRef("j", 0, 1),
            shard.end(),
            taskSet,
            List.of(),
            List.of(),
            done,
            false,
            List.of(),
            List.of());
    return ShardTransitions.checkpoint(shard, report, List.of(), T0.plusSeconds(seconds));
  }

  private static OptionalLong cut(Shard shard, long slots, long seconds) {
    return StealPolicy.splitIndex(
        shard,
        slots,
        Timings.DEFAULT.stealPause(),
        Timings.DEFAULT.stealRest(),
        T0.plusSeconds(seconds));
  }

  @Test
  void aLeaseThatJustBeganIsLeftAlone() {
    assertThat(cut(leased(100), 2, 5)).isEmpty();
  }

  @Test
  void halfOfUnstartedTasksIsTaken() {
    assertThat(cut(leased(102), 2, 60)).hasValue(52);
  }

  @Test
  void holderKeepsTenSecondsOfWork() {
    var shard = progressed(leased(1_000), 100, 100);

    // One per second: beyond 100 it may have started 2 slots and 50 + 10 seconds' worth.
    assertThat(cut(shard, 2, 150).getAsLong()).isEqualTo(162 + (1_000 - 162) / 2);
  }

  @Test
  void aShardThatEndsSoonIsLeftAlone() {
    // One per second, and the first 162 may have started: the rest takes 19 or 20 seconds.
    assertThat(cut(progressed(leased(181), 100, 100), 2, 150)).isEmpty();
    assertThat(cut(progressed(leased(182), 100, 100), 2, 150)).isPresent();
  }

  @Test
  void aShardIsNotCutTwiceInTenSeconds() {
    var once = ShardTransitions.cut(leased(100), 50, T0.plusSeconds(60)).rest();

    assertThat(cut(once, 2, 65)).isEmpty();
    assertThat(cut(once, 2, 71)).isPresent();
  }

  @Test
  void theLastTaskBeyondTheSlotsIsTaken() {
    assertThat(cut(leased(3), 2, 60)).hasValue(2);
    assertThat(cut(leased(2), 2, 60)).isEmpty();
  }

  @Test
  void startedTasksAreCountedFromOpenOnes() {
    var shard =
        Shard.of(new DocumentKey.OfShard("c", "j", 79), 100, TaskSet.where(79, 85, i -> true));
    var held = ShardTransitions.grant(shard, new Shard.Owner("w", 1), T0);

    // Tasks 79 to 84 were done before: the holder began with 85 and 86.
    assertThat(StealPolicy.firstUnstarted(held, 2, ofSeconds(10), T0.plusSeconds(60))).hasValue(87);
    assertThat(cut(held, 1, 60).getAsLong()).isGreaterThan(85);
  }

  @Test
  void unleasedShardIsNotStolen() {
    assertThat(cut(Shard.of(new DocumentKey.OfShard("c", "j", 0), 100, TaskSet.none(0)), 2, 60))
        .isEmpty();
  }

  /** A shard whose first two tasks ran when it was twenty seconds old. */
  private static Shard begun(long size) {
    var report =
        new SyncReport.Lease(
            new LeaseRef("j", 0, 1),
            size,
            TaskSet.none(0),
            List.of(),
            List.of(0L, 1L),
            2,
            false,
            List.of(),
            List.of());
    return ShardTransitions.checkpoint(leased(size), report, List.of(), T0.plusSeconds(20));
  }

  @Test
  void endsThatNeedNoWriteMayHaveStartedOthers() {
    // Of a hundred the fifth end is written: four may have ended unseen, and two just now.
    assertThat(StealPolicy.firstUnstarted(begun(100), 2, ofSeconds(10), T0.plusSeconds(200)))
        .hasValue(2 + 4 + 2);
  }

  @Test
  void firstTasksMayHaveEndedUnseen() {
    // When the range was 20 s old two tasks ran; the end of one is written 20 s later or sooner.
    assertThat(StealPolicy.firstUnstarted(begun(6), 2, ofSeconds(10), T0.plusSeconds(36)))
        .as("four may have ended, and two more begun")
        .isEmpty();
    assertThat(StealPolicy.firstUnstarted(begun(6), 2, ofSeconds(10), T0.plusSeconds(49)))
        .isEmpty();
    assertThat(StealPolicy.firstUnstarted(begun(6), 2, ofSeconds(10), T0.plusSeconds(50)))
        .as("it would have been written")
        .hasValue(2);
  }

  @Test
  void unstartedLongTasksAreAllStolen() {
    var shard = begun(6);

    assertThat(cut(shard, 2, 300)).hasValue(4);
    assertThat(StealPolicy.firstUnstarted(shard, 2, ofSeconds(10), T0.plusSeconds(300)))
        .hasValue(2);
  }

  @Test
  void hourLongTasksAreNotAssumedStarted() {
    var shard = progressed(leased(10), 4, 2 * 3_600);

    assertThat(StealPolicy.firstUnstarted(shard, 2, ofSeconds(10), T0.plusSeconds(2 * 3_600 + 60)))
        .hasValue(4);
  }

  @Test
  void silenceOfAReportingHolderSaysThatNothingEnded() {
    var shard = progressed(leased(7), 2, 250);

    // Two of its tasks of two minutes run: an end would have been written within two minutes.
    assertThat(StealPolicy.firstUnstarted(shard, 2, ofSeconds(10), T0.plusSeconds(250 + 125)))
        .hasValue(6);
    assertThat(StealPolicy.firstUnstarted(shard, 2, ofSeconds(10), T0.plusSeconds(250 + 130)))
        .hasValue(2);
  }
}
