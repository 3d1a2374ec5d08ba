package dev.mayfly.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.ExitCodeRule;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job's rules for exit codes, applied where attempts are counted. */
class ExitCodeRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final RetryRules RETRIES =
      new RetryRules(
          2,
          3,
          OnDemandRules.NEVER,
          List.of(
              new ExitCodeRule(64, 78, ExitCodeRule.Action.NEVER),
              new ExitCodeRule(75, 75, ExitCodeRule.Action.INFRASTRUCTURE),
              new ExitCodeRule(70, 72, ExitCodeRule.Action.FAILURE)));

  private static Shard afterAttempt(Shard shard, FailureCause cause, int exitCode) {
    var leased = ShardTransitions.grant(shard, new Shard.Owner("w1", 1), NOW);
    var failure = new AttemptFailure(0, leased.lease().attempt(), cause, exitCode, "no", "w1", NOW);
    var report =
        new SyncReport.Lease(
            new LeaseRef("j", 0, leased.epoch()),
            2,
            TaskSet.none(0),
            List.of(failure),
            List.of(),
            1,
            true,
            List.of(),
            List.of());
    return ShardTransitions.release(leased, report, RETRIES, NOW);
  }

  /** How many equal attempts fail the task for good. */
  @ParameterizedTest
  @CsvSource({
    "USER, 1, 2",
    "USER, 63, 2",
    "USER, 64, 1",
    "USER, 78, 1",
    "USER, 79, 2",
    "USER, 75, 3",
    "USER, 71, 2",
    "TIMEOUT, 64, 2",
    "OUT_OF_MEMORY, 75, 2",
    "INFRASTRUCTURE, 64, 3",
    "PREEMPTED, -1, 3"
  })
  void ruleDecidesWhichAttemptsAreLeft(FailureCause cause, int exitCode, int attempts) {
    var shard = Shard.of(new DocumentKey.OfShard("c", "j", 0), 2, TaskSet.none(0));
    for (var attempt = 1; attempt <= attempts; attempt++) {
      assertThat(shard.failed().has(0)).as("before attempt " + attempt).isFalse();
      shard = afterAttempt(shard, cause, exitCode);
    }

    assertThat(shard.failed().has(0)).isTrue();
    assertThat(shard.failed().has(1)).isFalse();
    var named = exitCode == 75 && cause == FailureCause.USER ? FailureCause.INFRASTRUCTURE : cause;
    assertThat(shard.attempts()).containsExactly(Map.entry(named, (long) attempts));
    assertThat(shard.evidence()).extracting(AttemptFailure::cause).containsOnly(named);
  }

  @Test
  void failureOfRunningLeaseIsNamedByRule() {
    var shard = Shard.of(new DocumentKey.OfShard("c", "j", 0), 2, TaskSet.none(0));
    var leased = ShardTransitions.grant(shard, new Shard.Owner("w1", 1), NOW);
    var failure =
        new AttemptFailure(0, leased.lease().attempt(), FailureCause.USER, 75, "no", "w1", NOW);
    var report =
        new SyncReport.Lease(
            leased.lease(),
            2,
            TaskSet.none(0),
            List.of(failure),
            List.of(),
            1,
            false,
            List.of(),
            List.of());

    assertThat(ShardTransitions.checkpoint(leased, report, RETRIES.exitCodes(), NOW).evidence())
        .extracting(AttemptFailure::cause)
        .containsExactly(FailureCause.INFRASTRUCTURE);
  }

  @Test
  void rangesAreWithinExitCodes() {
    for (var range : List.of(List.of(0, 3), List.of(4, 3), List.of(200, 256)))
      assertThatThrownBy(
              () -> new ExitCodeRule(range.get(0), range.get(1), ExitCodeRule.Action.NEVER))
          .isInstanceOf(IllegalArgumentException.class);
  }
}
