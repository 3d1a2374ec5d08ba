package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** TPUs that Compute Engine has as machines. */
class TpuMachineTest {
  private static final long GIB = 1L << 30;
  private static final String UBUNTU =
      "projects/ubuntu-os-accelerator-images/global/images/family/";

  @Test
  void hostIsTheSameWhoeverMakesIt() {
    for (var machine : TpuMachine.all()) {
      assertThat(machine.chips()).isPositive();
      machine
          .tpu()
          .flatMap(TpuTypes::of)
          .ifPresent(node -> {
            assertThat(machine.entry().host()).as(machine.type()).isEqualTo(node.host());
            assertThat(node.hosts()).isEqualTo(1);
            assertThat(machine.generation()).isEqualTo(node.generation());
            assertThat(machine.entry().topology()).contains(node.topology());
          });
    }
  }

  @Test
  void everyNodeOfOneHostIsMachineToo() {
    var without =
        TpuTypes.all().stream()
            .filter(node -> node.hosts() == 1 && TpuMachine.hasGeneration(node.generation()))
            .filter(node -> TpuMachine.ofTpu(node.type()).isEmpty());

    assertThat(without).isEmpty();
  }

  @Test
  void theyAreMachineTypes() {
    assertThat(MachineTypes.shape("ct6e-standard-8t"))
        .contains(new Resources(180_000, 1440 * GIB, 0, 8));
    assertThat(MachineTypes.shape("tpu7x-standard-4t"))
        .contains(new Resources(224_000, 960 * GIB, 0, 4));
    assertThat(TpuMachine.ofTpu("tpu7x-8").map(TpuMachine::type)).contains("tpu7x-standard-4t");
    assertThat(TpuMachine.ofTpu("v6e-16")).isEmpty();
    assertThat(TpuMachine.ofTpu("v4-8")).isEmpty();
    assertThat(TpuTypes.isOneHost("ct6e-standard-8t")).isTrue();
  }

  @Test
  void chipCostsTheSameWhoeverMakesIt() {
    for (var machine : TpuMachine.all())
      for (var how : List.of(Provisioning.ON_DEMAND, Provisioning.SPOT)) {
        var same = machine.generation().equals("v5p") ? "v5p-8" : machine.tpu().orElseThrow();
        var chips = TpuTypes.of(same).map(TpuTypes.Tpu::chips).orElse(1);
        var price = MachinePrices.of(machine.type(), how).map(HourlyPrice::usd);
        assertThat(price.isPresent())
            .as(machine.type())
            .isEqualTo(MachinePrices.of(same, how).isPresent());
        price.ifPresent(usd ->
            assertThat(usd / machine.chips())
                .as(machine.type())
                .isCloseTo(MachinePrices.of(same, how).orElseThrow().usd() / chips, within(1e-6)));
      }
  }

  @Test
  void quotaOfGenerationIsShared() {
    assertThat(TpuTypes.upTo("ct6e-standard-4t"))
        .containsExactly("ct6e-standard-1t", "ct6e-standard-4t");
    assertThat(TpuTypes.upTo("v6e-4")).containsExactly("v6e-1", "v6e-4");
  }

  @Test
  void chipsTakeQuotasOfComputeEngine() {
    var family = "TPUS-PER-TPU-FAMILY-per-project-region";
    var spot = "PREEMPTIBLE-TPU-V6E-per-project-region";

    assertThat(TpuMachine.quotas("ct6e-standard-8t", Provisioning.SPOT)).containsExactly(spot);
    assertThat(TpuMachine.quotas("ct6e-standard-8t", Provisioning.FLEX_START))
        .containsExactly(spot, family);
    assertThat(TpuMachine.quotas("tpu7x-standard-4t", Provisioning.SPOT)).containsExactly(family);
    assertThat(TpuMachine.quotas("ct6e-standard-8t", Provisioning.RESERVED)).isEmpty();
    assertThat(TpuMachine.quotas("n2-standard-4", Provisioning.SPOT)).isEmpty();
  }

  @Test
  void theyStartFromImagesOfTheirOwn() {
    assertThat(PlainBootImage.of(pool("ct6e-standard-8t", MachineSpec.PLAIN)))
        .isEqualTo(UBUNTU + "ubuntu-accel-2204-amd64-tpu-v5e-v5p-v6e");
    assertThat(PlainBootImage.of(pool("tpu7x-standard-4t", MachineSpec.PLAIN)))
        .isEqualTo(UBUNTU + "ubuntu-accel-2404-amd64-tpu-tpu7x");
    assertThat(TpuMachine.image("ct6e-standard-4t-tpu")).isPresent();
    assertThat(TpuMachine.image("c2-standard-4")).isEmpty();
    for (var machine : TpuMachine.all()) {
      var image = TpuMachine.image(machine.type()).orElseThrow();
      assertThat(PlainBootImage.is(image) && PlainBootImage.installs(image)).as(image).isTrue();
    }
    assertThat(PlainBootImage.is(UBUNTU + "ubuntu-accelerator-2204-amd64-with-nvidia-580"))
        .isFalse();
  }

  @Test
  void theyHaveDisksForContainers() {
    assertThat(BootDisk.of(pool("ct6e-standard-8t", MachineSpec.PLAIN)))
        .contains(new BootDisk(Optional.of("hyperdisk-balanced"), TpuMachine.DISK_GB));
    assertThat(BootDisk.of(pool("ct5p-hightpu-1t", MachineSpec.PLAIN)))
        .contains(new BootDisk(Optional.of("pd-balanced"), TpuMachine.DISK_GB));
  }

  @Test
  void machineKindSaysWhoMakesThem() {
    var kind = MachineKind.of(pool("ct6e-standard-8t", MachineSpec.PLAIN));

    assertThat(kind).isEqualTo(MachineKind.TPU_VM);
    assertThat(kind.isCompute()).isTrue();
    assertThat(MachineKind.of(pool("v6e-8", MachineSpec.tpu("v6e-8", "r"))).isCompute()).isFalse();
  }

  private static PoolSpec pool(String type, MachineSpec machine) {
    return new PoolSpec(
        "p",
        type,
        MachineTypes.shape(type).orElseThrow(),
        List.of("us-east5-b"),
        Provisioning.SPOT,
        0,
        1,
        Duration.ofMinutes(5),
        Duration.ofHours(24),
        machine);
  }
}
