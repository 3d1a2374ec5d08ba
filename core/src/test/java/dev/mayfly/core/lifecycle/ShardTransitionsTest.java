package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShardTransitionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Shard.Owner OWNER = new Shard.Owner("w1", 1);
  private static final RetryRules RETRIES = SpecFixtures.retries(2, 3);

  private static Shard ready(long start, long end) {
    return Shard.of(new DocumentKey.OfShard("c", "j", start), end, TaskSet.none(start));
  }

  private static Shard leased(long start, long end) {
    return ShardTransitions.grant(ready(start, end), OWNER, NOW);
  }

  private static SyncReport.Lease report(Shard shard, List<Long> done, AttemptFailure... failed) {
    var taskSet = TaskSet.where(shard.start(), shard.end(), done::contains);
    return new SyncReport.Lease(
        new LeaseRef("j", shard.start(), shard.epoch()),
        shard.end(),
        taskSet,
        List.of(failed),
        List.of(),
        shard.end(),
        true,
        List.of(),
        List.of());
  }

  private static AttemptFailure failure(long index, FailureCause failureCause) {
    return new AttemptFailure(index, "s0e1", failureCause, 1, "boom", "w1", NOW);
  }

  private static Shard checkpoint(Shard shard, SyncReport.Lease report) {
    return ShardTransitions.checkpoint(shard, report, List.of(), NOW);
  }

  @Test
  void aGrantRaisesTheEpochAndNamesTheOwner() {
    var shard = leased(0, 10);
    assertThat(shard.epoch()).isEqualTo(1);
    assertThat(shard.state()).isEqualTo(Shard.State.LEASED);
    assertThat(shard.owner()).contains(OWNER);
  }

  private static final RetryRules TWICE_ON_SPOT =
      new RetryRules(
          2,
          100,
          new OnDemandRules(2, java.util.Optional.empty(), java.time.Duration.ZERO),
          List.of());

  private static ShardTransitions.LostHolder holder(FailureCause failureCause) {
    return new ShardTransitions.LostHolder("w1", failureCause, "silent for 12 s");
  }

  private static Shard lost(Shard shard, Long... running) {
    return ShardTransitions.lose(
        shard, List.of(running), holder(FailureCause.PREEMPTED), TWICE_ON_SPOT, NOW);
  }

  @Test
  void twicePreemptedTaskMovesShardOffSpot() {
    var once = lost(leased(0, 10), 3L);
    var other = lost(ShardTransitions.grant(once, OWNER, NOW), 4L);
    var twice = lost(ShardTransitions.grant(other, OWNER, NOW), 3L);
    assertThat(once.state()).isEqualTo(Shard.State.READY);
    assertThat(other.state()).isEqualTo(Shard.State.READY);
    assertThat(twice.state()).isEqualTo(Shard.State.SPENT);
    assertThat(twice.isLeasable()).isTrue();
  }

  @Test
  void doneTaskReturnsShardToSpot() {
    var twice = lost(ShardTransitions.grant(lost(leased(0, 10), 3L), OWNER, NOW), 3L);
    var again = ShardTransitions.grant(twice, OWNER, NOW);

    var after = ShardTransitions.release(again, report(again, List.of(3L)), TWICE_ON_SPOT, NOW);

    assertThat(after.state()).isEqualTo(Shard.State.READY);
  }

  @Test
  void cutWithoutAttemptsReturnsToSpot() {
    var twice = lost(ShardTransitions.grant(lost(leased(0, 10), 3L), OWNER, NOW), 3L);

    var cut = ShardTransitions.cut(twice, 5, NOW);

    assertThat(cut.rest().state()).isEqualTo(Shard.State.SPENT);
    assertThat(cut.child().state()).isEqualTo(Shard.State.READY);
    assertThat(ShardTransitions.cut(twice, 3, NOW).child().state()).isEqualTo(Shard.State.SPENT);
  }

  @Test
  void withoutOnDemandShardStaysOnSpot() {
    var shard = ready(0, 10);
    for (var i = 0; i < 20; i++)
      shard =
          ShardTransitions.lose(
              ShardTransitions.grant(shard, OWNER, NOW),
              List.of(3L),
              holder(FailureCause.LOST),
              SpecFixtures.retries(2),
              NOW);

    assertThat(shard.state()).isEqualTo(Shard.State.READY);
  }

  @Test
  void aLeasedShardIsNotGrantedAgain() {
    assertThatThrownBy(() -> ShardTransitions.grant(leased(0, 10), OWNER, NOW))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCheckpointKeepsTheEpochAndTheLease() {
    var shard = checkpoint(leased(0, 10), report(leased(0, 10), List.of(0L, 3L)));

    assertThat(shard.epoch()).isEqualTo(1);
    assertThat(shard.state()).isEqualTo(Shard.State.LEASED);
    assertThat(shard.done().indexes()).containsExactly(0L, 3L);
  }

  @Test
  void aReleaseOfAllDoneEndsTheShard() {
    var shard =
        ShardTransitions.release(leased(0, 2), report(leased(0, 2), List.of(0L, 1L)), RETRIES, NOW);

    assertThat(shard.state()).isEqualTo(Shard.State.ENDED);
    assertThat(shard.owner()).isEmpty();
    assertThat(shard.epoch()).isEqualTo(2);
  }

  @Test
  void taskFailsOnceBudgetIsSpent() {
    var once =
        ShardTransitions.release(
            leased(0, 1),
            report(leased(0, 1), List.of(), failure(0, FailureCause.USER)),
            RETRIES,
            NOW);
    assertThat(once.state()).isEqualTo(Shard.State.READY);

    var again = ShardTransitions.grant(once, OWNER, NOW);
    var twice =
        ShardTransitions.release(
            again, report(again, List.of(), failure(0, FailureCause.USER)), RETRIES, NOW);

    assertThat(twice.state()).isEqualTo(Shard.State.ENDED);
    assertThat(twice.failed().indexes()).containsExactly(0L);
    assertThat(twice.attempts()).containsEntry(FailureCause.USER, 2L);
  }

  @Test
  void preemptionIsPaidFromAnotherBudgetThanFailures() {
    var shard = leased(0, 1);
    for (var i = 0; i < 2; i++)
      shard =
          ShardTransitions.grant(
              ShardTransitions.lose(
                  shard, List.of(0L), holder(FailureCause.PREEMPTED), RETRIES, NOW),
              OWNER,
              NOW);

    assertThat(shard.infrastructure().at(0)).isEqualTo(2);
    assertThat(shard.failures().at(0)).isZero();
    assertThat(shard.failed().isEmpty()).isTrue();
  }

  @Test
  void returnedUnstartedWorkCostsNothing() {
    var shard =
        ShardTransitions.release(
            leased(0, 2),
            report(leased(0, 2), List.of(), failure(1, FailureCause.RETURNED)),
            RETRIES,
            NOW);

    assertThat(shard.failures().at(1)).isZero();
    assertThat(shard.infrastructure().at(1)).isZero();
    assertThat(shard.state()).isEqualTo(Shard.State.READY);
  }

  @Test
  void reportIsClippedToLeaseRange() {
    var whole = leased(0, 10);
    var rest = ShardTransitions.cut(whole, 5, NOW).rest();

    var after =
        ShardTransitions.release(
            rest, report(whole, List.of(1L, 7L), failure(8, FailureCause.USER)), RETRIES, NOW);

    assertThat(after.done().indexes()).containsExactly(1L);
    assertThat(after.attempts()).isEmpty();
  }

  @Test
  void stealKeepsEpochAndChildStartsAtZero() {
    var cut = ShardTransitions.cut(leased(0, 10), 6, NOW);

    assertThat(cut.rest().epoch()).isEqualTo(1);
    assertThat(cut.rest().end()).isEqualTo(6);
    assertThat(cut.child().epoch()).isZero();
    assertThat(cut.child().start()).isEqualTo(6);
    assertThat(cut.child().end()).isEqualTo(10);
    assertThat(cut.child().state()).isEqualTo(Shard.State.READY);
  }

  @Test
  void cutDividesDoneBitsAndCounts() {
    var shard =
        ShardTransitions.lose(
            leased(0, 10), List.of(2L, 8L), holder(FailureCause.LOST), RETRIES, NOW);
    shard =
        checkpoint(
            ShardTransitions.grant(shard, OWNER, NOW), report(leased(0, 10), List.of(1L, 9L)));

    var cut = ShardTransitions.cut(shard, 5, NOW);

    assertThat(cut.rest().done().indexes()).containsExactly(1L);
    assertThat(cut.child().done().indexes()).containsExactly(9L);
    assertThat(cut.rest().infrastructure().at(2)).isEqualTo(1);
    assertThat(cut.child().infrastructure().at(8)).isEqualTo(1);
    assertThat(cut.rest().open() + cut.child().open()).isEqualTo(shard.open());
  }

  @Test
  void aChildWhoseTasksAreAllDoneHasEnded() {
    var shard = checkpoint(leased(0, 4), report(leased(0, 4), List.of(2L, 3L)));

    assertThat(ShardTransitions.cut(shard, 2, NOW).child().state()).isEqualTo(Shard.State.ENDED);
  }

  @Test
  void aCutOutsideTheRangeIsRefused() {
    assertThatThrownBy(() -> ShardTransitions.cut(leased(0, 4), 4, NOW))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ShardTransitions.cut(leased(0, 4), 0, NOW))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void losingATaskThatIsDoneCostsNothing() {
    var shard = checkpoint(leased(0, 2), report(leased(0, 2), List.of(0L)));

    var lost =
        ShardTransitions.lose(shard, List.of(0L, 1L), holder(FailureCause.LOST), RETRIES, NOW);

    assertThat(lost.attempts()).containsEntry(FailureCause.LOST, 1L);
    assertThat(lost.done().indexes()).containsExactly(0L);
  }

  @Test
  void lostTasksHaveEvidence() {
    var long300 = new ShardTransitions.LostHolder("w1", FailureCause.LOST, "silent ".repeat(60));

    var lost = ShardTransitions.lose(leased(0, 10), List.of(2L, 8L), long300, RETRIES, NOW);

    assertThat(lost.evidence())
        .extracting(AttemptFailure::index, AttemptFailure::attempt, AttemptFailure::worker)
        .containsExactly(tuple(2L, "s0e1", "w1"), tuple(8L, "s0e1", "w1"));
    assertThat(lost.evidence())
        .allSatisfy(f -> assertThat(f.evidence()).startsWith("silent ").hasSize(200));
    assertThat(lost.evidence())
        .allMatch(f -> f.cause() == FailureCause.LOST && f.exitCode() == -1 && f.at().equals(NOW));
  }

  @Test
  void evidenceOfLossDisplacesNoUserFailure() {
    var shard = leased(0, 200);
    var failed = new AttemptFailure[20];
    for (var i = 0; i < failed.length; i++) failed[i] = failure(i, FailureCause.USER);
    var checkpoint = checkpoint(shard, report(shard, List.of(), failed));
    var running = LongStream.range(100, 164).boxed().toList();

    var lost = ShardTransitions.lose(checkpoint, running, holder(FailureCause.LOST), RETRIES, NOW);

    assertThat(lost.evidence()).hasSize(ShardTransitions.EVIDENCE).startsWith(failed);
    assertThat(lost.evidence().getLast().index()).isEqualTo(163);
    assertThat(lost.attempts()).containsEntry(FailureCause.LOST, 64L);
  }

  @Test
  void aSentinelFoundLaterOutweighsAFailureForGood() {
    var shard = leased(0, 1);
    for (var i = 0; i < 2; i++) {
      shard =
          ShardTransitions.release(
              shard, report(shard, List.of(), failure(0, FailureCause.USER)), RETRIES, NOW);
      if (i == 0) shard = ShardTransitions.grant(shard, OWNER, NOW);
    }
    var again = ShardTransitions.reopen(shard, TaskSet.none(0), NOW);

    assertThat(shard.failed().has(0)).isTrue();
    assertThat(again.state()).isEqualTo(Shard.State.READY);
    assertThat(again.failures().at(0)).isZero();
  }
}
