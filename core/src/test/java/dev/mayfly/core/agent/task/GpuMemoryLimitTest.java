package dev.mayfly.core.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuMemoryLimitTest {
  private static final long MIB = 1L << 20;

  private static Map<String, String> variables(long mib, int devices, long allMib, String... own) {
    var need = new Resources(0, 0, 250, 0, mib * MIB);
    var all = Optional.of(allMib * MIB).filter(bytes -> bytes > 0);
    return GpuMemoryLimit.variables(need, devices, all, Set.of(own));
  }

  @ParameterizedTest
  @CsvSource({"4096,16384,0.2500", "5461,16384,0.3333", "16384,16384,1.0000", "1,81920,0.0001"})
  void fractionIsOfTheWholeDeviceRoundedDown(long mib, long all, String fraction) {
    assertThat(variables(mib, 1, all)).containsEntry("XLA_PYTHON_CLIENT_MEM_FRACTION", fraction);
  }

  @Test
  void everyDeviceHasItsLimit() {
    assertThat(variables(6_144, 2, 15_360))
        .isEqualTo(
            Map.of(
                "MAYFLY_GPU_MEMORY", "6442450944",
                "XLA_PYTHON_CLIENT_MEM_FRACTION", "0.4000",
                "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=6144M,1=6144M"));
  }

  @Test
  void usersValueWins() {
    assertThat(variables(6_144, 1, 15_360, "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"))
        .containsOnlyKeys("MAYFLY_GPU_MEMORY", "XLA_PYTHON_CLIENT_MEM_FRACTION");
    // JAX refuses to start with both of its names.
    assertThat(variables(6_144, 1, 15_360, "XLA_CLIENT_MEM_FRACTION"))
        .containsOnlyKeys("MAYFLY_GPU_MEMORY", "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT");
  }

  @Test
  void withoutLimitNothingIsSaid() {
    assertThat(variables(0, 1, 15_360)).isEmpty();
    assertThat(variables(6_144, 1, 0))
        .containsOnlyKeys("MAYFLY_GPU_MEMORY", "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT");
  }
}
