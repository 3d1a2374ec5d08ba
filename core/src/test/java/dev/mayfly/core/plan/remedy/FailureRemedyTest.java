package dev.mayfly.core.plan.remedy;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
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
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.text.AttemptCauses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureRemedyTest {
  private static final Job JOB =
      new Job(
          "u1",
          "j1",
          SpecFixtures.job(5, SpecFixtures.run("train")),
          "h",
          new JobState.Running(NOW),
          new JobTasks(5, Optional.empty(), 5),
          NOW,
          NOW,
          Optional.empty(),
          Optional.empty());

  private static AttemptFailure failure(long task, FailureCause cause, int code, String said) {
    return new AttemptFailure(task, "s0e1", cause, code, said, "w", NOW);
  }

  /** A range of five tasks of which so many attempts may fail. */
  private static Shard with(int failures, AttemptFailure... ends) {
    var shard = Shard.of(new DocumentKey.OfShard("u1", "j1", 0), 5, TaskSet.none(0));
    var leased = ShardTransitions.grant(shard, new Shard.Owner("w", 1), NOW);
    var report =
        new SyncReport.Lease(
            new LeaseRef("j1", 0, leased.epoch()),
            5,
            TaskSet.none(0),
            List.of(ends),
            List.of(),
            5,
            true,
            List.of(),
            List.of());
    return ShardTransitions.release(leased, report, SpecFixtures.retries(failures, failures), NOW);
  }

  private static Optional<String> ended(
      Cluster.Phase phase, JobState.Result result, String summary, Shard shard) {
    var spec = SpecFixtures.cluster(List.of());
    var cluster = new Cluster("u1", spec, phase, 1, 0, NOW, Optional.empty());
    var end =
        new JobState.Ended(
            NOW, result, summary, new TaskTotals(0, 1, 0, 0, 1), Map.of(), Optional.empty());
    return FailureRemedy.ofEnded(cluster, JOB, end, List.of(shard), summary);
  }

  private static String failed(AttemptFailure... ends) {
    return ended(Cluster.Phase.UP, JobState.Result.FAILED, "failed", with(1, ends)).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "USER | 1 | bad | mend the program or what it reads (mayfly logs j1 3 has all that it wrote)",
        "USER | -1 | the input is not there | mend what it names, and submit it again",
        "OUT_OF_MEMORY | 137 | bad | ask for more memory than ",
        "TIMEOUT | 137 | bad | raise timeout above ",
        "TIMEOUT | -1 | setup: still running | raise setup.timeout",
        "OUTPUT_EXISTS | 0 | bad | move away what lies at its output"
      })
  void whatItsUserCanMendIsNamed(FailureCause cause, int code, String said, String remedy) {
    assertThat(failed(failure(3, cause, code, said)))
        .startsWith(remedy)
        .endsWith("and submit it again; mayfly retry j1 runs it as it was");
  }

  @Test
  void whatOtherTasksSurvivedNeedsNoRemedy() {
    var shard =
        with(
            2,
            failure(1, FailureCause.PREEMPTED, -1, "the cloud took the machine"),
            failure(2, FailureCause.PREEMPTED, -1, "the cloud took the machine"),
            failure(3, FailureCause.PREEMPTED, -1, "the cloud took the machine"),
            failure(0, FailureCause.USER, 3, "ValueError"),
            failure(0, FailureCause.USER, 3, "ValueError"));

    assertThat(ended(Cluster.Phase.UP, JobState.Result.FAILED, "failed", shard))
        .hasValueSatisfying(it -> assertThat(it).startsWith("mend the program"));
  }

  @Test
  void faultOfNobodyRunsAgainAsItIs() {
    assertThat(failed(failure(0, FailureCause.INFRASTRUCTURE, -1, "the store did not answer")))
        .isEqualTo(
            "mayfly retry j1 runs what is not done; a checkpoint keeps what a task has done");
  }

  @Test
  void stoppedJobGoesOnWithARetry() {
    assertThat(ended(Cluster.Phase.UP, JobState.Result.STOPPED, "stopped by bob", with(1)))
        .contains("mayfly retry j1 runs what is not done");
    assertThat(
            ended(Cluster.Phase.UP, JobState.Result.STOPPED, "mayfly retry j --max-usd 2", with(1)))
        .as("its reason says it")
        .isEmpty();
    assertThat(ended(Cluster.Phase.GOING, JobState.Result.STOPPED, "down", with(1)))
        .contains("mayfly up, and submit it again: what is done does not run a second time");
    assertThat(ended(Cluster.Phase.UP, JobState.Result.SUCCEEDED, "5 done", with(1))).isEmpty();
  }

  /** Of several causes it is about the one that is told first, with a task of it. */
  @Test
  void remedyIsOfTheCauseThatIsToldFirst() {
    var ends =
        new AttemptFailure[] {
          failure(1, FailureCause.USER, 1, "ValueError: x"),
          failure(2, FailureCause.USER, 2, "KeyError: y"),
          failure(3, FailureCause.USER, 2, "KeyError: y"),
          failure(4, FailureCause.USER, 9, "OSError: z")
        };

    assertThat(AttemptCauses.of(List.of(ends)).getFirst().tasks()).contains(2L);
    assertThat(failed(ends)).contains("mayfly logs j1 2 has all that it wrote");
  }

  /** Its other tasks run, and none of those that failed does so again. */
  @Test
  void whatFailedForGoodIsNotPromised() {
    assertThat(
            FailureRemedy.ofRunning(
                JOB, List.of(with(1, failure(3, FailureCause.USER, 1, "ValueError")))))
        .hasValueSatisfying(it ->
            assertThat(it)
                .doesNotContain("by itself")
                .endsWith("task 3 has failed for good, and mayfly retry train/3 runs it again"));
  }

  @Test
  void whatIsOrderedWhereNothingBootedMayNotCome() {
    var ordered = new ComingVeto.Ordering("cpu", "us-a", 1);

    assertThat(WaitingRemedy.of(ordered).orElseThrow()).doesNotContain("another zone");
    assertThat(WaitingRemedy.afterUnbooted(ordered).orElseThrow())
        .contains("another zone or machine type in the pool may start sooner");
  }

  /** Machines on demand end for a higher priority as others do. */
  @ParameterizedTest
  @CsvSource({"PREEMPTED, true", "OUTRANKED, false", "END_OF_LIFE, false", "LOST, false"})
  void onDemandHelpsAgainstTheCloudAlone(FailureCause cause, boolean helps) {
    var shard = with(2, failure(0, cause, -1, "ended"));

    assertThat(FailureRemedy.ofRunning(JOB, List.of(shard)).orElseThrow().contains("onDemand"))
        .isEqualTo(helps);
  }

  @Test
  void whatRunsSaysIfItRunsAgain() {
    assertThat(FailureRemedy.ofRunning(JOB, List.of(with(2)))).isEmpty();
    assertThat(
            FailureRemedy.ofRunning(
                JOB, List.of(with(2, failure(0, FailureCause.LOST, -1, "silent")))))
        .hasValueSatisfying(
            it -> assertThat(it).startsWith("nothing, what was cut off runs again"));
    assertThat(
            FailureRemedy.ofRunning(
                JOB, List.of(with(2, failure(0, FailureCause.USER, 1, "ValueError")))))
        .hasValueSatisfying(it ->
            assertThat(it).contains("; its task runs again by itself until").contains("attempt"));
  }
}
