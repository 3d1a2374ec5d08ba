package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MeasuredGpus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How busy and how full GPUs are is stored, but seldom for its own sake. */
class GpuUseTest {
  private static final long GIB = 1L << 30;

  private final LabCluster labCluster = new LabCluster();
  private final ScriptedAgent worker = labCluster.machine("w");

  private static GpuUse gpu(int percent, long gib) {
    return new GpuUse(0, Optional.of(percent), Optional.of(gib * GIB), Optional.of(40 * GIB));
  }

  private List<GpuUse> stored() {
    return labCluster.worker("w").gpuUses().map(MeasuredGpus::uses).orElse(List.of());
  }

  private void report(GpuUse... uses) {
    worker.wait = 0;
    worker.gpuUses = List.of(uses);
    worker.syncAndWait();
  }

  @Test
  void firstUseIsStored() {
    report(gpu(30, 4));

    assertThat(stored()).containsExactly(gpu(30, 4));
  }

  @Test
  void changeAloneIsStoredOnceMinute() {
    report(gpu(30, 4));
    report(gpu(90, 20));
    assertThat(stored()).containsExactly(gpu(30, 4));

    labCluster.advance(61_000);
    report(gpu(95, 21));

    assertThat(stored()).containsExactly(gpu(95, 21));
  }

  @Test
  void eachReportIsStoredWhileJobIsFollowed() {
    labCluster.submit(LabCluster.count("j", 2));
    labCluster.deliver();
    worker.wait = 1;
    worker.syncAndWait();
    assertThat(worker.held()).isNotEmpty();
    report(gpu(30, 4));
    labCluster.publish(new UserCommand.FollowLogs("lab", "j"));
    labCluster.advance(2_000);
    report(gpu(60, 10));
    labCluster.advance(6_000);

    report(gpu(90, 20));

    assertThat(stored()).containsExactly(gpu(90, 20));
  }

  @Test
  void smallChangeIsNotStored() {
    report(gpu(30, 4));
    labCluster.advance(61_000);
    report(gpu(34, 4));

    assertThat(stored()).containsExactly(gpu(30, 4));
  }

  @Test
  void unreadableUseIsTakenBack() {
    report(gpu(30, 4));
    labCluster.advance(61_000);
    report(new GpuUse(0, Optional.empty(), Optional.of(4 * GIB), Optional.of(40 * GIB)));
    assertThat(stored()).singleElement().satisfies(gpu -> assertThat(gpu.use()).isEmpty());

    labCluster.advance(61_000);
    report();
    assertThat(stored()).isEmpty();
  }

  @Test
  void otherChangeTakesUseAlong() {
    report(gpu(30, 4));
    worker.notice = Optional.of(labCluster.now());
    report(gpu(90, 20));

    assertThat(stored()).containsExactly(gpu(90, 20));
  }
}
