package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fixture.LabCluster;
import org.junit.jupiter.api.Test;

class BootingReasonTest {
  @Test
  void bootingMachinesAreListedWithTime() {
    var labCluster = new LabCluster();
    labCluster.machine("w");
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.advance(180_000);

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .contains("booting: 1 machine of pool cpu is being created, the first ordered 3m ago");
  }

  @Test
  void usualTimeIsThatOfReadyMachines() {
    var labCluster = new LabCluster();
    var first = labCluster.machine("first");
    labCluster.advance(240_000);
    first.sync();
    labCluster.machine("second");
    labCluster.submit(LabCluster.count("j", 100));
    labCluster.advance(60_000);

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .contains(
            "booting: 1 machine of pool cpu is being created, the first ordered 60s ago; usually it takes 4m");
  }
}
