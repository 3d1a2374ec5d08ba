package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BootingReasonTest {
  @Test
  void machinesOnTheirWayAreToldWithTheirTime() {
    var lab = new Lab();
    lab.machine("w");
    lab.submit(Lab.count("j", 1));
    lab.pass(180_000);

    assertThat(lab.control.views().explain("lab", "j").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .contains("booting: 1 of pool cpu are being created, the first for 3 min");
  }
}
