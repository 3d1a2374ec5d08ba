package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TpuTypesTest {
  private static final long GIB = 1L << 30;

  private static final String EXPECTED =
      """
      v2-8 4 chips 1 hosts 2x2, 96 CPU 334 GiB
      v2-32 16 chips 4 hosts 4x4, 96 CPU 334 GiB
      v2-128 64 chips 16 hosts 8x8, 96 CPU 334 GiB
      v2-256 128 chips 32 hosts 8x16, 96 CPU 334 GiB
      v2-512 256 chips 64 hosts 16x16, 96 CPU 334 GiB
      v3-8 4 chips 1 hosts 2x2, 96 CPU 334 GiB
      v3-32 16 chips 4 hosts 4x4, 48 CPU 334 GiB
      v3-64 32 chips 8 hosts 4x8, 48 CPU 334 GiB
      v3-128 64 chips 16 hosts 8x8, 48 CPU 334 GiB
      v3-256 128 chips 32 hosts 8x16, 48 CPU 334 GiB
      v3-512 256 chips 64 hosts 16x16, 48 CPU 334 GiB
      v3-1024 512 chips 128 hosts 16x32, 48 CPU 334 GiB
      v3-2048 1024 chips 256 hosts 32x32, 48 CPU 334 GiB
      v4-8 4 chips 1 hosts 2x2x1, 240 CPU 400 GiB
      v4-16 8 chips 2 hosts 2x2x2, 240 CPU 400 GiB
      v4-32 16 chips 4 hosts 2x2x4, 240 CPU 400 GiB
      v4-64 32 chips 8 hosts 2x4x4, 240 CPU 400 GiB
      v4-128 64 chips 16 hosts 4x4x4, 240 CPU 400 GiB
      v4-256 128 chips 32 hosts 4x4x8, 240 CPU 400 GiB
      v4-512 256 chips 64 hosts 4x8x8, 240 CPU 400 GiB
      v4-1024 512 chips 128 hosts 8x8x8, 240 CPU 400 GiB
      v4-1536 768 chips 192 hosts 8x8x12, 240 CPU 400 GiB
      v4-2048 1024 chips 256 hosts 8x8x16, 240 CPU 400 GiB
      v4-4096 2048 chips 512 hosts 8x16x16, 240 CPU 400 GiB
      v5p-8 4 chips 1 hosts 2x2x1, 208 CPU 448 GiB
      v5p-16 8 chips 2 hosts 2x2x2, 208 CPU 448 GiB
      v5p-32 16 chips 4 hosts 2x2x4, 208 CPU 448 GiB
      v5p-64 32 chips 8 hosts 2x4x4, 208 CPU 448 GiB
      v5p-128 64 chips 16 hosts 4x4x4, 208 CPU 448 GiB
      v5p-256 128 chips 32 hosts 4x4x8, 208 CPU 448 GiB
      v5p-512 256 chips 64 hosts 4x8x8, 208 CPU 448 GiB
      v5p-1024 512 chips 128 hosts 8x8x8, 208 CPU 448 GiB
      v5p-1536 768 chips 192 hosts 8x8x12, 208 CPU 448 GiB
      v5p-2048 1024 chips 256 hosts 8x8x16, 208 CPU 448 GiB
      v5p-4096 2048 chips 512 hosts 8x16x16, 208 CPU 448 GiB
      v5litepod-1 1 chips 1 hosts 1x1, 24 CPU 48 GiB
      v5litepod-4 4 chips 1 hosts 2x2, 112 CPU 192 GiB
      v5litepod-8 8 chips 1 hosts 2x4, 224 CPU 384 GiB
      v5litepod-16 16 chips 4 hosts 4x4, 112 CPU 192 GiB
      v5litepod-32 32 chips 8 hosts 4x8, 112 CPU 192 GiB
      v5litepod-64 64 chips 16 hosts 8x8, 112 CPU 192 GiB
      v5litepod-128 128 chips 32 hosts 8x16, 112 CPU 192 GiB
      v5litepod-256 256 chips 64 hosts 16x16, 112 CPU 192 GiB
      v6e-1 1 chips 1 hosts 1x1, 44 CPU 176 GiB
      v6e-4 4 chips 1 hosts 2x2, 180 CPU 720 GiB
      v6e-8 8 chips 1 hosts 2x4, 180 CPU 1440 GiB
      v6e-16 16 chips 4 hosts 4x4, 180 CPU 720 GiB
      v6e-32 32 chips 8 hosts 4x8, 180 CPU 720 GiB
      v6e-64 64 chips 16 hosts 8x8, 180 CPU 720 GiB
      v6e-128 128 chips 32 hosts 8x16, 180 CPU 720 GiB
      v6e-256 256 chips 64 hosts 16x16, 180 CPU 720 GiB
      """;

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
  void everyTypeIsAsItWas() {
    assertThat(TpuTypes.all().stream().map(TpuTypesTest::line))
        .containsExactly(EXPECTED.strip().split("\n"));
  }

  @Test
  void aLayoutOfChipsIsAType() {
    assertThat(TpuTypes.shaped("v4", "2x2x4")).isEqualTo(TpuTypes.of("v4-32"));
    assertThat(TpuTypes.shaped("v6e", "4x4")).isEqualTo(TpuTypes.of("v6e-16"));
    assertThat(TpuTypes.shaped("v4", "4x4")).isEmpty();
    assertThat(TpuTypes.shaped("v9", "4x4")).isEmpty();
  }

  @Test
  void smallerTypesShareTheQuota() {
    assertThat(TpuTypes.upTo("v5p-32")).containsExactly("v5p-16", "v5p-32", "v5p-8");
    assertThat(TpuTypes.upTo("n2-standard-4")).containsExactly("n2-standard-4");
  }

  @Test
  void tpuTypeHasShapeOfOneHost() {
    assertThat(MachineTypes.shape("v4-8").orElseThrow().tpuChips()).isEqualTo(4);
    assertThat(MachineTypes.shape("v4-32")).isEqualTo(MachineTypes.shape("v4-8"));
  }

  private static String line(TpuTypes.Tpu tpu) {
    return "%s %d chips %d hosts %s, %d CPU %d GiB"
        .formatted(
            tpu.type(),
            tpu.chips(),
            tpu.hosts(),
            tpu.topology(),
            tpu.host().cpuMillis() / 1000,
            tpu.host().memoryBytes() / GIB);
  }
}
