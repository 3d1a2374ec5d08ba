package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BootDiskTest {
  @Test
  void familiesThatTakeNothingElseHaveHyperdisk() {
    assertThat(BootDisk.usualType("e2-standard-2")).contains("pd-balanced");
    assertThat(BootDisk.usualType("n4-standard-8")).contains("hyperdisk-balanced");
    assertThat(BootDisk.usualType("a3-highgpu-8g")).contains("pd-balanced");
    assertThat(BootDisk.usualType("a3-ultragpu-8g")).contains("hyperdisk-balanced");
    assertThat(BootDisk.usualType("n2-custom-6-20480")).as("a custom type").contains("pd-balanced");
    assertThat(BootDisk.usualType("n5-standard-4")).as("Google's own default").isEmpty();
  }

  @Test
  void poolChoosesTypeAndSize() {
    var machine =
        new MachineSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            200,
            Optional.of("pd-ssd"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);

    assertThat(BootDisk.of(pool("n2-standard-4").withMachine(machine)))
        .contains(new BootDisk(Optional.of("pd-ssd"), 200));
  }

  @Test
  void gpusHaveRoomForTheirImage() {
    assertThat(BootDisk.of(pool("g2-standard-4")).orElseThrow().sizeGb()).isEqualTo(100);
    assertThat(BootDisk.of(pool("e2-standard-2")).orElseThrow().sizeGb()).isEqualTo(50);
  }

  @Test
  void ownMachinesHaveTheirOwnDisks() {
    assertThat(BootDisk.of(pool("desk").withProvisioning(Provisioning.STATIC))).isEmpty();
  }

  @Test
  void monthOfFiftyGigabytesIsFiveDollars() {
    var disk = BootDisk.of(pool("e2-standard-2")).orElseThrow();

    assertThat(disk.price().orElseThrow().usd() * 730).isBetween(4.99, 5.01);
    assertThat(new BootDisk(Optional.of("pd-extreme"), 50).price()).isEmpty();
  }

  private static PoolSpec pool(String type) {
    return new PoolSpec(
        "cpu",
        type,
        Resources.cpu(2, 8L << 30),
        List.of("us-central1-a"),
        Provisioning.SPOT,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        MachineSpec.PLAIN);
  }
}
