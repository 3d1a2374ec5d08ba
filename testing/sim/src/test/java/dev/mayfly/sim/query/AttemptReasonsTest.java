package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why attempts ended without a result, and what became of their tasks. */
class AttemptReasonsTest {
  private final LabCluster labCluster = new LabCluster(1);

  /** Only what failed for good is failing. */
  @Test
  void attemptsWhoseTaskIsDoneSinceAreNotFailing() {
    labCluster.submit(LabCluster.count("j", 3));
    var w = labCluster.machine("w");
    for (var attempt = 0; attempt < 3; attempt++) {
      w.syncAndWait();
      w.failed(1, "KeyError: 'lasting'");
      if (attempt == 0) w.failed(0, "KeyError: 'first'");
      var again = attempt > 0;
      w.complete(task -> task == 0 && again);
      w.release();
    }
    w.syncAndWait();

    assertThat(attemptKinds()).containsExactly("failing", "recovered");
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .filteredOn(r -> r.kind().equals("recovered"))
        .singleElement()
        .satisfies(r -> assertThat(r.text()).endsWith("'first'; its task is done since"));
  }

  @Test
  void failuresThatEndAlikeAreOneReason() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(0, "File \"attempts/1/a.py\", line 2\nKeyError: 'score'");
    w.failed(1, "File \"attempts/2/a.py\", line 2\nKeyError: 'score'");
    w.release();
    w.syncAndWait();

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .filteredOn(r -> r.kind().equals("repeated"))
        .singleElement()
        .satisfies(r ->
            assertThat(r.text())
                .startsWith("2 attempts ended")
                .endsWith(": KeyError: 'score'; their tasks run again"));
  }

  /** The end of its lease stores that, which is later. */
  @Test
  void lastAttemptOfLeaseThatContinuesIsNotRepeated() {
    labCluster.submit(
        JobBuilder.like(LabCluster.count("j", 2)).retries(JobBuilder.retries(1)).build());
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(0, "KeyError: 'score'");
    w.syncAndWait();

    var queries = labCluster.controlPlane.statusQueries();
    var explained = queries.explain("lab", "j");
    assertThat(explained.summary()).contains("1 on machines", "1 failed for good");
    assertThat(attemptKinds()).containsExactly("failing");
    assertThat(explained.remedy().orElseThrow())
        .contains("task 0 has failed for good")
        .doesNotContain("runs again by itself");
    assertThat(queries.task("lab", "j", 0).state()).isEqualTo(TaskStatus.State.FAILED);
    assertThat(queries.job("lab", "j").totals().failed()).isEqualTo(1);
  }

  @Test
  void attemptsThatNobodyIsToBlameForAreInterrupted() {
    labCluster.submit(LabCluster.count("j", 6));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.ended(0, FailureCause.PREEMPTED, "the cloud takes the machine");
    w.ended(1, FailureCause.LOST, "its host failed");
    w.ended(2, FailureCause.DRAINED, "a user drains it");
    w.ended(3, FailureCause.INFRASTRUCTURE, "disk full");
    w.release();
    w.syncAndWait();
    assertThat(attemptKinds())
        .containsExactly("interrupted", "interrupted", "interrupted", "interrupted");

    w.failed(4);
    w.release();
    w.syncAndWait();

    assertThat(attemptKinds()).contains("interrupted", "repeated");
  }

  private List<String> attemptKinds() {
    return labCluster.controlPlane.statusQueries().explain("lab", "j").reasons().stream()
        .filter(JobExplanation.Reason::tellsOfAttempts)
        .map(JobExplanation.Reason::kind)
        .toList();
  }

  @Test
  void causesNotToldAreCountedWithTheirCommand() {
    labCluster.submit(LabCluster.count("j", 6));
    var w = labCluster.machine("w");
    w.syncAndWait();
    for (var task = 0; task < 6; task++)
      w.failed(task, "KeyError: '" + "abcdee".charAt(task) + "'");
    w.release();
    w.syncAndWait();

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .filteredOn(r -> r.kind().equals("repeated"))
        .extracting(JobExplanation.Reason::text)
        .hasSize(4)
        .last()
        .isEqualTo("and 2 other causes of 2 attempts: mayfly tasks j");
  }
}
