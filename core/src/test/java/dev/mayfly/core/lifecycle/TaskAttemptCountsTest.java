package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users read of a task's attempts is the list of them, in numbers. */
class TaskAttemptCountsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final RetryRules ONCE = SpecFixtures.retries(1, 3);
  private static final TaskSet ALL = TaskSet.where(0, 1, _ -> true);

  private static Shard leased(Shard shard) {
    return ShardTransitions.grant(shard, new Shard.Owner("w1", 1), NOW);
  }

  private static Shard one() {
    return leased(Shard.of(new DocumentKey.OfShard("c", "j", 0), 1, TaskSet.none(0)));
  }

  private static SyncReport.Lease report(Shard shard, FailureCause cause, int exitCode) {
    var attempt = shard.lease().attempt();
    return new SyncReport.Lease(
        new LeaseRef("j", 0, shard.epoch()),
        1,
        TaskSet.none(0),
        List.of(new AttemptFailure(0, attempt, cause, exitCode, "boom", "w1", NOW)),
        List.of(),
        1,
        true,
        List.of(),
        List.of());
  }

  private static Shard fail(Shard shard) {
    return ShardTransitions.release(shard, report(shard, FailureCause.USER, 1), ONCE, NOW);
  }

  @Test
  void attemptsBeforeARetryAreCountedToo() {
    var retried = ShardTransitions.retryTasks(fail(one()), ALL, NOW);

    assertThat(retried.attempts(0, false)).isEqualTo(TaskAttempts.of(1, 0, false));
    assertThat(fail(leased(retried)).attempts(0, false)).isEqualTo(TaskAttempts.of(2, 0, false));
    assertThat(fail(leased(retried)).evidence()).hasSize(2);
  }

  @Test
  void attemptOfALeaseIsCountedBeforeItsEnd() {
    var shard = one();
    var after =
        ShardTransitions.checkpoint(shard, report(shard, FailureCause.USER, 1), List.of(), NOW);

    assertThat(after.attempts(0, false)).isEqualTo(TaskAttempts.of(1, 0, false));
    assertThat(
            ShardTransitions.release(after, report(after, FailureCause.USER, 1), ONCE, NOW)
                .attempts(0, false))
        .as("once")
        .isEqualTo(TaskAttempts.of(1, 0, false));
  }

  @Test
  void stoppedAttemptCountsAsOtherWithoutAProcessToo() {
    var shard = one();
    var stopped = report(shard, FailureCause.STOPPED, AttemptFailure.NO_PROCESS);

    assertThat(ShardTransitions.release(shard, stopped, ONCE, NOW).attempts(0, true))
        .isEqualTo(TaskAttempts.of(0, 0, 0, 2));
  }
}
