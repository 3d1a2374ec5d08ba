package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Under which conditions an end is said. */
class EstimateConditionsTest {
  private final LabCluster lab = new LabCluster(1);

  private JobEstimate estimate() {
    return lab.controlPlane.statusQueries().estimate("lab", "j");
  }

  private static JobEstimate unknown(String why) {
    return JobEstimate.unknown(why);
  }

  /** Works at half a dollar an hour. */
  private ScriptedAgent worker() {
    var worker = lab.machine("w");
    worker.syncAndWait();
    lab.change("w", true, it -> it.withUsage(MachineUsage.from(Optional.of(0.5), lab.now())));
    return worker;
  }

  /** Nothing runs until a machine is there: its rate and its checkpoint are known. */
  @Test
  void lostTaskGoesOnFromItsCheckpoint() {
    lab.submit(LabCluster.count("j", 1));
    var worker = worker();
    var values = TaskProgress.among(Map.of("step", 60.0, "total_steps", 100.0), 2);
    worker.metrics = List.of(new TaskMetrics(lab.job("j").uid(), 0, values));
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();
    worker.endedKept(0, FailureCause.PREEMPTED, lab.now());
    worker.release();
    worker.room = Resources.ZERO;
    worker.syncAndWait();

    assertThat(estimate().text()).contains("by its own count: step ", ", from which it goes on");
    var run = estimate().forecast().orElseThrow().run().orElseThrow();
    assertThat(run.mostSeconds()).as("40 steps of 2 s").isBetween(60.0, 160.0);
    assertThat(estimate().text().split(" for \\$", -1)).as("a price once").hasSizeLessThan(3);
  }

  @Test
  void endNeedsTheReportOfSilentMachine() {
    lab.submit(LabCluster.count("j", 1));
    var worker = worker();
    var values = TaskProgress.among(Map.of("step", 60.0, "total_steps", 100.0), 2);
    worker.metrics = List.of(new TaskMetrics(lab.job("j").uid(), 0, values));
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();
    assertThat(estimate().text()).doesNotContain("silent");

    lab.time.advance(Duration.ofMinutes(2));

    assertThat(estimate().text())
        .contains("if machine w, which is silent, reports again, and one task runs at once");
  }

  @Test
  void outrankedAttemptsAreNoLostMachines() {
    lab.submit(LabCluster.count("j", 1));
    var worker = worker();
    lab.time.advance(Duration.ofMinutes(4));
    worker.ended(0, FailureCause.OUTRANKED, "job high takes its room");
    worker.release();
    worker.syncAndWait();
    worker.syncAndWait();
    var values = TaskProgress.among(Map.of("step", 120.0, "total_steps", 1_000.0), 2);
    worker.metrics = List.of(new TaskMetrics(lab.job("j").uid(), 0, values));
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate().text())
        .contains("jobs of a higher priority ended tasks of it, and may end more")
        .doesNotContain("lost machines");
  }

  @Test
  void taskThatReportsNothingForLongIsToldHow() {
    lab.submit(LabCluster.count("j", 1));
    var worker = worker();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate())
        .isEqualTo(
            unknown(
                "none of its tasks has ended yet, and none reports how far it is (as step and total_steps in $MAYFLY_METRICS)"));
  }
}
