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
        .contains("booting: 1 of pool cpu are being created, the first for 3 min");
  }
}
