package dev.mayfly.core.plan.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TpuTypesTest {
  private static final long GIB = 1L << 30;

  @ParameterizedTest
  @CsvSource({
    "v2-8, 4, 1, 2x2",
    "v3-32, 16, 4, 4x4",
    "v4-8, 4, 1, 2x2x1",
    "v4-32, 16, 4, 2x2x4",
    "v4-4096, 2048, 512, 8x16x16",
    "v5p-16, 8, 2, 2x2x2",
    "v5litepod-1, 1, 1, 1x1",
    "v5litepod-8, 8, 1, 2x4",
    "v5litepod-16, 16, 4, 4x4",
    "v6e-256, 256, 64, 16x16"
  })
  void aTypeHasItsChipsHostsAndTopology(String type, int chips, int hosts, String topology) {
    var tpu = TpuTypes.of(type).orElseThrow();

    assertThat(tpu.chips()).isEqualTo(chips);
    assertThat(tpu.hosts()).isEqualTo(hosts);
    assertThat(tpu.topology()).isEqualTo(topology);
    assertThat(tpu.host().tpuChips()).isEqualTo(chips / hosts);
  }

  @Test
  void theMemoryOfAHostComesByTheChip() {
    assertThat(TpuTypes.of("v5litepod-1").orElseThrow().host().memoryBytes()).isEqualTo(48 * GIB);
    assertThat(TpuTypes.of("v5litepod-8").orElseThrow().host().memoryBytes()).isEqualTo(384 * GIB);
    assertThat(TpuTypes.of("v4-32").orElseThrow().host().memoryBytes()).isEqualTo(400 * GIB);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v4-9", "v4-0", "v7-8", "n2-standard-4", "v5litepod-512", "v4", ""})
  void whatIsNoTypeIsNotFound(String type) {
    assertThat(TpuTypes.of(type)).isEmpty();
  }

  @Test
  void tpuTypeHasShapeOfOneHost() {
    assertThat(MachineTypes.shape("v4-8").orElseThrow().tpuChips()).isEqualTo(4);
    assertThat(MachineTypes.shape("v4-32")).isEqualTo(MachineTypes.shape("v4-8"));
  }
}
