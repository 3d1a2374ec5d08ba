package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailedTaskTimesTest {
  /** More than any job allows. */
  private static final int ATTEMPTS = 20;

  private final LabCluster labCluster = new LabCluster(1);

  /** While its job runs, and from the outcome of the job. */
  @Test
  void failedTaskHasTimesOfItsLastAttempt() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    for (var i = 0; i < ATTEMPTS && task().state() != TaskStatus.State.FAILED; i++) {
      worker.failed(0);
      end(worker);
    }

    for (var ended : List.of(false, true)) {
      if (ended) stop(worker);
      assertThat(task().state()).isEqualTo(TaskStatus.State.FAILED);
      assertThat(Duration.between(task().startedAt().orElseThrow(), task().endedAt().orElseThrow()))
          .as("in an ended job: %s", ended)
          .isEqualTo(ScriptedAgent.ATTEMPT);
    }
  }

  private TaskStatus task() {
    return labCluster.controlPlane.statusQueries().task("lab", "j", 0);
  }

  private void stop(ScriptedAgent worker) {
    labCluster.stop("j");
    worker.syncAndWait();
    end(worker);
    labCluster.deliver();
  }

  private static void end(ScriptedAgent worker) {
    worker.release();
    worker.syncAndWait();
  }
}
