package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.sync.MachineUse;
import dev.mayfly.core.model.sync.MeasuredMachine;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What machines and tasks use is stored, and hardly ever for its own sake. */
class MachineUseTest {
  private static final long GIB = 1L << 30;
  private static final int TEN_MINUTES = 601_000;

  private final LabCluster labCluster = new LabCluster();
  private final ScriptedAgent worker = labCluster.machine("w");

  private static MachineUse use(int cpu, long gib) {
    return new MachineUse(cpu, gib * GIB, 40 * GIB);
  }

  private Optional<MachineUse> stored() {
    return labCluster.worker("w").machineUse().map(MeasuredMachine::use);
  }

  private void report(MachineUse use) {
    worker.wait = 0;
    worker.machineUse = Optional.of(use);
    worker.syncAndWait();
  }

  @Test
  void firstUseIsStored() {
    report(use(30, 4));

    assertThat(stored()).contains(use(30, 4));
    assertThat(labCluster.controlPlane.statusQueries().workers("lab", false))
        .singleElement()
        .satisfies(w -> assertThat(w.machine()).contains(use(30, 4)));
  }

  @Test
  void changeAloneIsStoredEveryTenMinutes() {
    report(use(30, 4));
    labCluster.advance(61_000);
    report(use(90, 20));
    assertThat(stored()).contains(use(30, 4));

    labCluster.advance(TEN_MINUTES);
    report(use(95, 21));

    assertThat(stored()).contains(use(95, 21));
  }

  @Test
  void smallChangeIsNotStored() {
    report(use(30, 4));
    labCluster.advance(TEN_MINUTES);
    report(use(38, 5));

    assertThat(stored()).contains(use(30, 4));
  }

  @Test
  void otherChangeTakesUseAlong() {
    report(use(30, 4));
    worker.notice = Optional.of(labCluster.now());
    report(use(31, 4));

    assertThat(stored()).contains(use(31, 4));
  }

  @Test
  void taskUseAloneIsStoredEveryTenMinutes() {
    labCluster.submit(LabCluster.count("j", 2));
    worker.syncAndWait();
    worker.wait = 0;
    reportTask(1);
    labCluster.advance(61_000);
    reportTask(2);
    assertThat(taskUse().peakMemory()).isEqualTo(GIB);

    labCluster.advance(TEN_MINUTES);
    reportTask(3);
    assertThat(taskUse().peakMemory()).isEqualTo(3 * GIB);
    assertThat(labCluster.controlPlane.statusQueries().task("lab", "j", 0).metrics()).isEmpty();
  }

  private void reportTask(long gib) {
    var use = new TaskUse(10, 1, gib * GIB);
    worker.metrics = List.of(new TaskMetrics(labCluster.job("j").uid(), 0, use.among(Map.of())));
    worker.syncAndWait();
  }

  private TaskUse taskUse() {
    return labCluster.controlPlane.statusQueries().task("lab", "j", 0).use().orElseThrow();
  }
}
