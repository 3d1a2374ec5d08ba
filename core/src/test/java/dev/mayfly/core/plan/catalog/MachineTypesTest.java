package dev.mayfly.core.plan.catalog;

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
    assertShape("n2-custom-6-20480", 6, 20 * GI);
  }

  @Test
  void aTypeThatBringsGpusSaysHowMany() {
    assertThat(MachineTypes.shape("g2-standard-24"))
        .contains(new Resources(24_000, 96 * GI, 2_000, 0));
    assertThat(MachineTypes.shape("a2-highgpu-8g"))
        .contains(new Resources(96_000, 680 * GI, 8_000, 0));
    assertThat(MachineTypes.shape("a3-highgpu-3g")).isEmpty();
  }

  @Test
  void aSharedCoreIsAPartOfACpu() {
    assertThat(MachineTypes.shape("e2-micro")).contains(new Resources(250, GI, 0, 0));
    assertThat(MachineTypes.shape("e2-medium")).contains(new Resources(1000, 4 * GI, 0, 0));
  }

  @Test
  void aTypeThatNobodySellsHasNoShape() {
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
