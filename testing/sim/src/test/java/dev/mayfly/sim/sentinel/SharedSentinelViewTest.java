package dev.mayfly.sim.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.fixture.LabCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people see of tasks whose sentinels are together. */
class SharedSentinelViewTest {
  private final LabCluster labCluster = new LabCluster(1);

  /** Both tasks are done; the second took seven seconds longer. */
  private void done() {
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    var at = BucketLayout.of("gs://lab").sharedSentinel(labCluster.job("j").uid(), 0, 0);
    labCluster.put(at.toString(), new String(sentinels(), StandardCharsets.UTF_8), Map.of());
    worker.complete(_ -> true);
    worker.release();
    worker.syncAndWait();
  }

  private void submit() {
    var spec = LabCluster.count("j", 3);
    labCluster.submit(
        spec.with(
            new JobSpec.Data(
                Optional.empty(),
                false,
                OutputMode.UPLOADED,
                false,
                Optional.empty(),
                Optional.of(Sentinel.Mode.TOGETHER))));
  }

  private byte[] sentinels() {
    var all = new ArrayList<Sentinel>();
    for (var task = 0L; task < 2; task++)
      all.add(
          new Sentinel(
              labCluster.job("j").uid(),
              task,
              "s0e1",
              "gs://lab/mayfly/x/" + task,
              0,
              0,
              "",
              "w",
              labCluster.now(),
              Optional.of(labCluster.now().minusSeconds(7 * task)),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
    return labCluster.codec.sentinels(all);
  }

  private TaskStatus task(long index) {
    return labCluster.controlPlane.statusQueries().task("lab", "j", index);
  }

  @Test
  void taskHasItsTimesFromItsLine() {
    submit();
    done();

    assertThat(task(1).state()).isEqualTo(TaskStatus.State.DONE);
    assertThat(task(1).workers()).containsExactly("w");
    assertThat(task(1).endedAt().orElseThrow())
        .isEqualTo(task(1).startedAt().orElseThrow().plusSeconds(7));
    assertThat(task(1).doneBefore()).isFalse();
  }
}
