package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often Mayfly may end a task's attempts by its own plan, and how they are counted. */
class InterruptionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Shard.Owner OWNER = new Shard.Owner("w1", 1);

  private static Shard ready() {
    return Shard.of(new DocumentKey.OfShard("c", "j", 0), 2, TaskSet.none(0));
  }

  /** Grants the shard, and ends the attempt of task 0 so. */
  private static Shard ended(Shard shard, FailureCause cause, boolean kept, RetryRules retries) {
    var leased = ShardTransitions.grant(shard, OWNER, NOW);
    var ref = new LeaseRef("j", 0, leased.epoch());
    var failure = new AttemptFailure(0, ref.attempt(), cause, 143, "words", "w1", NOW);
    var report =
        new SyncReport.Lease(
            ref,
            2,
            TaskSet.none(0),
            List.of(kept ? failure.asKept() : failure),
            List.of(),
            2,
            true,
            List.of(),
            List.of());
    return ShardTransitions.release(leased, report, retries, NOW);
  }

  private static int endsUntilFailed(FailureCause cause, RetryRules retries) {
    var shard = ready();
    for (var ends = 1; ends <= 200; ends++) {
      shard = ended(shard, cause, false, retries);
      if (shard.failed().has(0)) return ends;
    }
    return 0;
  }

  @ParameterizedTest
  @CsvSource({
    "END_OF_LIFE, 1, 1", "END_OF_LIFE, 3, 3", "END_OF_LIFE, 100, 100",
    "DRAINED, 1, 10", "DRAINED, 3, 10", "DRAINED, 100, 100"
  })
  void noTaskBeginsForEver(FailureCause cause, int infrastructure, int ends) {
    assertThat(endsUntilFailed(cause, SpecFixtures.retries(3, infrastructure))).isEqualTo(ends);
  }

  @Test
  void attemptThatKeptACheckpointCountsInNoBudget() {
    var shard = ready();
    for (var i = 0; i < 200; i++)
      shard = ended(shard, FailureCause.END_OF_LIFE, true, SpecFixtures.retries(3, 1));

    assertThat(shard.failed().isEmpty()).isTrue();
    assertThat(shard.attempts()).containsEntry(FailureCause.END_OF_LIFE, 200L);
  }

  @Test
  void planOfMayflyCostsNoOtherBudget() {
    var shard = ended(ready(), FailureCause.DRAINED, false, SpecFixtures.retries(3));

    assertThat(shard.failures().at(0)).isZero();
    assertThat(shard.infrastructure().at(0)).isZero();
    assertThat(shard.interruptions().at(0)).isEqualTo(1);
  }

  @Test
  void stoppedAndContinuedAttemptsAreShownToo() {
    var retries = SpecFixtures.retries(3);
    var stopped = ended(ready(), FailureCause.STOPPED, false, retries);
    var kept = ended(ready(), FailureCause.END_OF_LIFE, true, retries);

    assertThat(stopped.attempts(0, false).total()).isEqualTo(1);
    assertThat(kept.attempts(0, true).total()).isEqualTo(2);
    assertThat(kept.attempts(1, false).total()).isZero();
  }

  @Test
  void lostMachineWhoseLifeWasOverCounts() {
    var leased = ShardTransitions.grant(ready(), OWNER, NOW);
    var holder = new ShardTransitions.LostHolder("w1", FailureCause.END_OF_LIFE, "words");

    var lost = ShardTransitions.lose(leased, List.of(0L), holder, SpecFixtures.retries(3, 1), NOW);

    assertThat(lost.failed().has(0)).isTrue();
    assertThat(lost.infrastructure().at(0)).isZero();
  }

  @Test
  void lostAttemptKeepsWhatItsCheckpointHas() {
    var leased = ShardTransitions.grant(ready(), OWNER, NOW);
    var holder = new ShardTransitions.LostHolder("w1", FailureCause.LOST, "silent");
    var until = NOW.minusSeconds(3);
    var running = new ChargedTasks(List.of(0L, 1L), Map.of(), Map.of(1L, until));

    var lost =
        ShardTransitions.lose(
            leased, leased.lease(), running, holder, SpecFixtures.retries(3, 1), NOW);

    assertThat(lost.evidence())
        .extracting(AttemptFailure::isKept, AttemptFailure::keptUntil)
        .containsExactly(tuple(false, Optional.empty()), tuple(true, Optional.of(until)));
  }

  @Test
  void lostAttemptsKeepWhenTheyBegan() {
    var leased = ShardTransitions.grant(ready(), OWNER, NOW);
    var holder = new ShardTransitions.LostHolder("w1", FailureCause.LOST, "silent");
    var began = NOW.minusSeconds(9);
    var running = new ChargedTasks(List.of(0L, 1L), Map.of(1L, began));

    var lost =
        ShardTransitions.lose(
            leased, leased.lease(), running, holder, SpecFixtures.retries(3, 1), NOW);

    assertThat(lost.evidence())
        .extracting(AttemptFailure::startedAt)
        .containsExactly(Optional.empty(), Optional.of(began));
  }

  /** Whoever asks for a task reads the shard that has it now. */
  @Test
  void cutGivesAttemptsToTheShardOfTheirTask() {
    var leased = ShardTransitions.grant(ready(), OWNER, NOW);
    var holder = new ShardTransitions.LostHolder("w1", FailureCause.LOST, "silent");
    var retries = SpecFixtures.retries(3, 5);
    var lost = ShardTransitions.lose(leased, List.of(0L, 1L), holder, retries, NOW);

    var cut = ShardTransitions.cut(lost, 1, NOW);

    assertThat(cut.rest().evidence()).extracting(AttemptFailure::index).containsExactly(0L);
    assertThat(cut.child().evidence()).extracting(AttemptFailure::index).containsExactly(1L);
  }
}
