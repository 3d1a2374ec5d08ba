package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.JobProgress;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.fixture.Sentinels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a task reported, while it runs, when it is done, and after its job. */
class TaskMetricsQueriesTest {
  private static final Map<String, Double> SOME = Map.of("acc", 0.5, "step", 3.0);
  private final LabCluster labCluster = new LabCluster(1);

  private TaskStatus task(long index) {
    return labCluster.controlPlane.statusQueries().task("lab", "j", index);
  }

  private ScriptedAgent worker() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    worker.wait = 0;
    return worker;
  }

  private void report(ScriptedAgent worker, double acc) {
    worker.metrics = List.of(new TaskMetrics(labCluster.job("j").uid(), 1, Map.of("acc", acc)));
    worker.syncAndWait();
  }

  @Test
  void aRunningTaskHasItsMetrics() {
    var worker = worker();
    worker.metrics = List.of(new TaskMetrics(labCluster.job("j").uid(), 0, SOME));
    worker.syncAndWait();

    assertThat(task(0).state()).isEqualTo(TaskStatus.State.RUNNING);
    assertThat(task(0).metrics()).contains(SOME);
    assertThat(task(1).metrics()).isEmpty();
  }

  /** It stands still: neither the report nor whoever looks makes its values newer. */
  @Test
  void valuesAreAsOldAsTheirReading() {
    var read = labCluster.now().minusSeconds(40);
    var values = TaskMetrics.readAt(counts(20), read);
    var worker = worker();
    report(worker, values, SOME);
    var written = labCluster.now();
    labCluster.advance(300_000);

    assertThat(task(0).metricsAt()).contains(read);
    assertThat(task(0).metrics()).contains(counts(20));
    assertThat(task(1).metricsAt()).as("of an agent of before").contains(written);
    assertThat(job().progress().orElseThrow().at()).contains(read);
  }

  @Test
  void divergedMetricIsNamed() {
    var values = Map.of("step", 3.0, TaskMetrics.diverged("loss"), 1.0);
    var worker = worker();
    report(worker, values, SOME);

    assertThat(task(0).metrics()).contains(Map.of("step", 3.0));
    assertThat(task(0).diverged()).contains(List.of("loss"));
    assertThat(task(1).diverged()).isEmpty();
  }

  @Test
  void countWithItsTotalIsProgress() {
    var worker = worker();
    report(worker, Map.of("global_step", 30.0), Map.of("global_step", 20.0, "max_steps", 100.0));

    var progress = new TaskProgress("step", 20, 100, Optional.empty());
    assertThat(task(0).progress()).isEmpty();
    assertThat(task(1).progress()).contains(progress);
    assertThat(job().progress())
        .contains(
            new JobProgress(
                1, 0.2, progress, Optional.of(progress), Optional.of(labCluster.now())));
    assertThat(listed().progress()).isEqualTo(job().progress());
  }

  @Test
  void jobOfSeveralTasksTellsTheLeastOne() {
    var worker = worker();
    report(worker, counts(90), counts(20));

    var least = new TaskProgress("step", 20, 100, Optional.empty());
    var most = new TaskProgress("step", 90, 100, Optional.empty());
    assertThat(job().progress())
        .contains(new JobProgress(2, 1.1, least, Optional.of(most), Optional.of(labCluster.now())));
    worker.complete(_ -> true);
    worker.release();
    worker.finish();
    labCluster.deliver();
    assertThat(job().progress()).isEmpty();
    assertThat(listed().progress()).isEmpty();
  }

  private static Map<String, Double> withDiverged() {
    return Map.of("acc", 0.5, "step", 3.0, TaskMetrics.diverged("loss"), 1.0);
  }

  private static Map<String, Double> counts(double step) {
    return Map.of("step", step, "total_steps", 100.0);
  }

  private void report(ScriptedAgent worker, Map<String, Double> first, Map<String, Double> second) {
    var uid = labCluster.job("j").uid();
    worker.metrics = List.of(new TaskMetrics(uid, 0, first), new TaskMetrics(uid, 1, second));
    worker.syncAndWait();
  }

  private JobStatus job() {
    return labCluster.controlPlane.statusQueries().job("lab", "j");
  }

  private JobStatus listed() {
    return labCluster.controlPlane.statusQueries().jobs("lab", 5).getFirst();
  }

  @Test
  void metricsOfAnotherJobAreNotShown() {
    var worker = worker();
    worker.metrics = List.of(new TaskMetrics("j-other", 0, SOME));
    worker.syncAndWait();

    assertThat(task(0).metrics()).isEmpty();
  }

  @Test
  void newValuesAloneWaitAMinute() {
    var worker = worker();
    report(worker, 0.1);
    labCluster.advance(30_000);
    report(worker, 0.2);
    assertThat(task(1).metrics()).contains(Map.of("acc", 0.1));

    labCluster.advance(31_000);
    report(worker, 0.3);
    assertThat(task(1).metrics()).contains(Map.of("acc", 0.3));
  }

  @Test
  void aFollowedJobHasThemInSeconds() {
    var worker = worker();
    labCluster.publish(new UserCommand.FollowLogs("lab", "j"));
    labCluster.advance(6_000);
    report(worker, 0.1);
    labCluster.advance(6_000);
    report(worker, 0.2);

    assertThat(task(1).metrics()).contains(Map.of("acc", 0.2));
  }

  @Test
  void aRunningTaskHasTheTimeOfItsStart() {
    var worker = worker();
    var since = labCluster.now().minusSeconds(3);
    worker.running(since, 0L, 1L);
    worker.failed(0);
    worker.syncAndWait();

    assertThat(task(1).startedAt()).contains(since);
  }

  /** Of a job's whole life: the sentinel has them while it lives, its outcome afterwards. */
  @Test
  void lastValuesOutliveTheTask() {
    var worker = worker();
    for (var index = 0; index < 2; index++) {
      var output = "gs://lab/out/j/" + index;
      var checkpoint = index == 0 ? Optional.of("checkpoint 7") : Optional.<String>empty();
      var sentinel =
          Sentinels.of(labCluster.job("j").uid(), index, output, labCluster.now())
              .withMetrics(index == 0 ? withDiverged() : Map.of())
              .withContinued(checkpoint);
      labCluster.put(output + Sentinel.SUFFIX, "", sentinel.metadata());
    }
    worker.complete(task -> task == 0);
    worker.release();
    worker.syncAndWait();
    assertThat(task(0).state()).isEqualTo(TaskStatus.State.DONE);
    assertThat(task(0).metrics()).contains(SOME);
    assertThat(task(0).continued()).contains("checkpoint 7");

    worker.finish();
    labCluster.deliver();
    assertThat(labCluster.job("j").state().ended()).isTrue();
    assertThat(task(0).metrics()).contains(SOME);
    assertThat(task(0).diverged()).contains(List.of("loss"));
    assertThat(task(1).metrics()).isEqualTo(Optional.empty());
    assertThat(task(0).continued()).contains("checkpoint 7");
    assertThat(task(1).continued()).isEqualTo(Optional.empty());
  }
}
