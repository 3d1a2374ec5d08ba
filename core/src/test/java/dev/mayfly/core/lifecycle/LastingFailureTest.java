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
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A failure that another attempt would share. */
class LastingFailureTest {
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

  @Test
  void lastingFailureLeavesNoOtherAttempt() {
    var shard = leased(0, 3);
    var denied = failure(1, FailureCause.INFRASTRUCTURE).asLasting();

    var released =
        ShardTransitions.release(
            shard, report(shard, List.of(2L), failure(0, FailureCause.USER), denied), RETRIES, NOW);

    assertThat(released.failed().indexes()).containsExactly(1L);
    assertThat(released.isLeasable()).isTrue();
  }
}
