package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an estimate says of machines that a job lost: as much as that changes it. */
class EstimatedLossesTest {
  private final LabCluster lab = new LabCluster(1);

  @Test
  void lossesOfASpreadAreSaidIfTheyMatter() {
    lab.submit(LabCluster.count("j", 1));
    var worker = lab.machine("w");
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(4));
    worker.ended(0, FailureCause.PREEMPTED, "the cloud takes the machine");
    worker.release();
    worker.syncAndWait();
    worker.syncAndWait();

    reports(worker, 120);
    assertThat(estimate())
        .matches(
            ".*it has lost machines and may lose more: in about 2\\dm to 3\\dm if it does not");

    reports(worker, 995);
    assertThat(estimate()).contains("step 995 of 1,000").doesNotContain("may lose more");
  }

  private void reports(ScriptedAgent worker, double step) {
    var values = TaskProgress.among(Map.of("step", step, "total_steps", 1_000.0), 2);
    worker.metrics = List.of(new TaskMetrics(lab.job("j").uid(), 0, values));
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();
  }

  private String estimate() {
    return lab.controlPlane.statusQueries().estimate("lab", "j").text();
  }
}
