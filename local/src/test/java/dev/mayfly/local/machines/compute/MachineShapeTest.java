package dev.mayfly.local.machines.compute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineShapeTest {
  @ParameterizedTest
  @CsvSource({
    "n2-standard-4, 4, 16384, 0, '', 0",
    "e2-micro, 2, 1024, 0, '', 0",
    "c4-standard-4, 4, 15360, 0, '', 0",
    "n2-custom-6-20480, 6, 20480, 0, '', 0",
    "g2-standard-24, 24, 98304, 2, NVIDIA L4, 23034",
    "ct6e-standard-8t, 180, 1474560, 0, '', 0",
    "a4-highgpu-8g, 224, 4063232, 8, NVIDIA B200, 183359",
    "a3-highgpu-8g, 208, 1916928, 8, NVIDIA H100 80GB HBM3, 81559"
  })
  void shapeIsThatOfTheCatalogue(
      String type, int cpus, long memoryMb, int gpus, String gpu, long gpuMemoryMib) {
    assertThat(MachineShape.of(type))
        .contains(new MachineShape(type, cpus, memoryMb, gpus, gpu, gpuMemoryMib));
  }

  @Test
  void chipsAreThoseOfTheType() {
    assertThat(MachineShape.of("tpu7x-standard-4t").map(MachineShape::tpuChips)).contains(4);
    assertThat(MachineShape.of("n2-standard-4").map(MachineShape::tpuChips)).contains(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v4-8", "n2-standard-3", "n2-highcpu-128", ""})
  void otherNamesHaveNoShape(String name) {
    assertThat(MachineShape.of(name)).isEmpty();
  }
}
