package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class MachineHardwareTest {
  @Test
  void readsListOfGpus() {
    var gpus =
        MachineHardware.parse(
            """
            0, GPU-4c1b9980-5e2b-a5ab-0000-000000000001, NVIDIA A100-SXM4-40GB, 40960
            1, GPU-4c1b9980-5e2b-a5ab-0000-000000000002, NVIDIA A100-SXM4-40GB, 40960
            """);

    assertThat(gpus)
        .extracting(
            MachineHardware.Gpu::index, MachineHardware.Gpu::name, MachineHardware.Gpu::memoryMib)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, "NVIDIA A100-SXM4-40GB", 40_960L),
            org.assertj.core.groups.Tuple.tuple(1, "NVIDIA A100-SXM4-40GB", 40_960L));
  }

  @Test
  void brokenGpuDoesNotCount() {
    var gpus =
        MachineHardware.parse(
            """
            0, GPU-1, Tesla T4, [Unknown Error]
            1, GPU-2, Tesla T4, 15360
            Unable to determine the device handle for GPU0002:00:00.0: Unknown Error
            """);

    assertThat(gpus).extracting(MachineHardware.Gpu::index).containsExactly(1);
  }

  @Test
  void thisMachineHasProcessorsAndMemory() {
    assertThat(MachineHardware.cpus()).isPositive();
    assertThat(MachineHardware.memory(Path.of("/proc"))).isGreaterThan(64L << 20);
  }
}
