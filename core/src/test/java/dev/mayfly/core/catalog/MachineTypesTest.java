package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTypesTest {
  private static final long MI = 1L << 20;
  private static final long GI = 1L << 30;

  @Test
  void aTypesNameTellsItsShape() {
    assertShape("n1-standard-4", 4, 15 * GI);
    assertShape("n1-highmem-2", 2, 13 * GI);
    assertShape("n1-highcpu-4", 4, 3686 * MI);
    assertShape("n2-standard-4", 4, 16 * GI);
    assertShape("n2d-highmem-8", 8, 64 * GI);
    assertShape("e2-highcpu-16", 16, 16 * GI);
    assertShape("c2-standard-30", 30, 120 * GI);
    assertShape("c3-highcpu-22", 22, 44 * GI);
    assertShape("n4-standard-2", 2, 8 * GI);
  }

  @Test
  void whatJavaKnewBeforeIsInTheTable() {
    assertShape("n1-standard-96", 96, 360 * GI);
    assertShape("n1-highcpu-96", 96, 88_473 * MI);
    assertShape("n2-highmem-96", 96, 768 * GI);
    assertShape("n2-highmem-128", 128, 864 * GI);
    assertShape("n2d-standard-224", 224, 896 * GI);
    assertShape("n2d-highcpu-128", 128, 128 * GI);
    assertShape("e2-standard-32", 32, 128 * GI);
    assertShape("c2-standard-60", 60, 240 * GI);
    assertShape("c3-highmem-176", 176, 1408 * GI);
    assertShape("n4-highcpu-80", 80, 160 * GI);
  }

  @Test
  void newFamiliesAreKnown() {
    assertShape("c4-highmem-288-lssd", 288, 2232 * GI);
    assertShape("c4d-highcpu-8", 8, 15 * GI);
    assertShape("n4d-standard-96", 96, 384 * GI);
    assertShape("t2d-standard-60", 60, 240 * GI);
    assertShape("m3-ultramem-128", 128, 3904 * GI);
    assertShape("z3-highmem-8-highlssd", 8, 64 * GI);
    assertShape("h3-standard-88", 88, 352 * GI);
    assertThat(MachineTypes.shape("g4-standard-384"))
        .contains(new Resources(384_000, 1440 * GI, 8_000, 0, 97_887 * MI));
  }

  @Test
  void customTypeSaysWhatItHas() {
    assertShape("n2-custom-6-20480", 6, 20 * GI);
    assertShape("custom-2-4096", 2, 4 * GI);
    assertShape("e2-custom-4-65536-ext", 4, 64 * GI);
    assertThat(MachineTypes.shape("c2-custom-4-8192")).isEmpty();
    assertThat(MachineTypes.shape("n2-custom-04-8192")).isEmpty();
  }

  @Test
  void unusableTypesAreToldWithReason() {
    assertThat(MachineTypes.unusable("t2a-standard-4"))
        .hasValueSatisfying(why -> assertThat(why).startsWith("'t2a-standard-4' has ARM"));
    assertThat(MachineTypes.unusable("v7-8"))
        .hasValueSatisfying(
            why -> assertThat(why).endsWith("tpu7x-8 (4 chips) or tpu7x-2 (1 chip)"));
    assertThat(MachineTypes.unusable("tpu7x-16")).isPresent();
    for (var usable : List.of("tpu7x-8", "tpu7x-2", "tpu7x-standard-4t"))
      assertThat(MachineTypes.unusable(usable)).as(usable).isEmpty();
    assertThat(MachineTypes.unusable("n2-standard-4")).isEmpty();
  }

  @Test
  void aTypeThatBringsGpusSaysHowMany() {
    assertThat(MachineTypes.shape("g2-standard-24"))
        .contains(new Resources(24_000, 96 * GI, 2_000, 0, 23_034 * MI));
    assertThat(MachineTypes.shape("a2-highgpu-8g"))
        .contains(new Resources(96_000, 680 * GI, 8_000, 0, 40_960 * MI));
    assertThat(MachineTypes.shape("a2-megagpu-16g"))
        .contains(new Resources(96_000, 1360 * GI, 16_000, 0, 40_960 * MI));
    assertThat(MachineTypes.shape("a3-ultragpu-8g"))
        .contains(new Resources(224_000, 2952 * GI, 8_000, 0, 143_771 * MI));
    assertThat(MachineTypes.shape("a3-highgpu-3g")).isEmpty();
  }

  @Test
  void aSharedCoreIsAPartOfACpu() {
    assertThat(MachineTypes.shape("e2-micro")).contains(new Resources(250, GI, 0, 0));
    assertThat(MachineTypes.shape("e2-medium")).contains(new Resources(1000, 4 * GI, 0, 0));
  }

  @Test
  void unknownTypeHasNoShape() {
    for (var name :
        List.of(
            "n2-standard-5",
            "n1-highcpu-1",
            "c2-highmem-4",
            "z9-standard-4",
            "n2",
            "",
            "n2-standard-04")) assertThat(MachineTypes.shape(name)).as(name).isEmpty();
  }

  private static void assertShape(String name, int cpus, long memory) {
    assertThat(MachineTypes.shape(name)).as(name).contains(Resources.cpu(cpus, memory));
  }
}
