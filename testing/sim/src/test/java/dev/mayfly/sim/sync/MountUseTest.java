package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How full mounts are is stored, but seldom for its own sake. */
class MountUseTest {
  private final LabCluster labCluster = new LabCluster();
  private final ScriptedAgent worker = labCluster.machine("w");

  private static MountUse data(long used) {
    return new MountUse("/mnt/data", Optional.of("data"), 1_000, used);
  }

  private List<MountUse> stored() {
    return labCluster.worker("w").mounts().map(MeasuredMounts::uses).orElse(List.of());
  }

  private void report(MountUse... uses) {
    worker.wait = 0;
    worker.mounts = List.of(uses);
    worker.syncAndWait();
  }

  @Test
  void firstUseIsStored() {
    report(data(400));

    assertThat(stored()).containsExactly(data(400));
  }

  @Test
  void changeAloneWaits() {
    report(data(400));
    report(data(500));
    assertThat(stored()).containsExactly(data(400));

    labCluster.advance(Timings.DEFAULT.checkpointAfter().toMillis() + 1);
    report(data(500));

    assertThat(stored()).containsExactly(data(500));
  }

  @Test
  void lessThanPercentIsNotStored() {
    report(data(400));
    labCluster.advance(Timings.DEFAULT.checkpointAfter().toMillis() + 1);
    report(data(409));

    assertThat(stored()).containsExactly(data(400));
  }

  @Test
  void restartedAgentKeepsLastUse() {
    report(data(400));

    worker.restarted().syncAndWait();

    assertThat(stored()).containsExactly(data(400));
  }
}
