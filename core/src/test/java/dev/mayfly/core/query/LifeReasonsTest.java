package dev.mayfly.core.query;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What explain says first of tasks that their machines do not live to finish. */
class LifeReasonsTest {
  private static final RetryRules RETRIES = SpecFixtures.retries(3);

  private static Cluster cluster() {
    var pools = List.of(pool("cpu").life(Duration.ofMinutes(20)).build());
    var spec = SpecFixtures.cluster(pools);
    return new Cluster("u1", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
  }

  private static Job job() {
    var run = SpecFixtures.run("train");
    var spec = SpecFixtures.job(3, run);
    return new Job(
        "u1",
        "j",
        spec,
        "h",
        new JobState.Running(NOW),
        new JobTasks(3, Optional.empty(), 3),
        NOW,
        NOW,
        Optional.empty(),
        Optional.empty());
  }

  private static Shard ended(Shard shard, boolean kept, long... tasks) {
    var leased = ShardTransitions.grant(shard, new Shard.Owner("w", 1), NOW);
    var ref = new LeaseRef("j", 0, leased.epoch());
    var failed =
        Arrays.stream(tasks)
            .mapToObj(i ->
                new AttemptFailure(
                    i, ref.attempt(), FailureCause.END_OF_LIFE, 143, "old", "w", NOW))
            .map(failure -> kept ? failure.asKept() : failure)
            .toList();
    var report =
        new SyncReport.Lease(
            ref, 3, TaskSet.none(0), failed, List.of(), 3, true, List.of(), List.of());
    return ShardTransitions.release(leased, report, RETRIES, NOW);
  }

  private static Shard fresh() {
    return Shard.of(new DocumentKey.OfShard("u1", "j", 0), 3, TaskSet.none(0));
  }

  private static Optional<String> reason(Shard shard) {
    return LifeReasons.of(cluster(), job(), List.of(shard)).map(JobExplanation.Reason::text);
  }

  @Test
  void oneTaskIsNamedWithTheRemedy() {
    assertThat(reason(ended(fresh(), false, 0)))
        .contains(
            "task 0 was cut off once by the end of its machine's life and stored no checkpoint, so that it begins from zero each time (machines live for 20m, pools[].life); name a checkpoint, raise the life, or split the task: it fails when this has happened 100 times (retries.infrastructure)");
  }

  @Test
  void severalTasksAreCounted() {
    var twice = ended(ended(fresh(), false, 0, 2), false, 2);

    assertThat(reason(twice).orElseThrow())
        .startsWith("2 tasks were cut off 3 times by the end of their machine's life");
  }

  @Test
  void attemptsThatKeptACheckpointAreNoReason() {
    assertThat(reason(ended(fresh(), true, 0))).isEmpty();
    assertThat(reason(fresh())).isEmpty();
  }
}
