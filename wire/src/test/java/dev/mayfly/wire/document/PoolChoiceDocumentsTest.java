package dev.mayfly.wire.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.Wire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A pool that chooses among types is read as a pool for each of them. */
class PoolChoiceDocumentsTest {
  private static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab-us
      pools:
        - name: gpu
          anyOf:
            - {machine: {type: g2-standard-12}}
            - {machine: {type: a2-highgpu-1g}, zones: [us-central1-c], visible: {cpu: 8}}
          zones: [us-central1-a, us-central1-b]
          labels: {room: 2}
          onDemand: {max: 2}
          workers: {min: 1, spare: 2, max: 8}
      """;

  private final List<PoolSpec> pools =
      ((UserCommand.ApplyCluster) Wire.codec().commands(CLUSTER.getBytes(UTF_8)).getFirst())
          .spec()
          .pools();

  @Test
  void eachTypeIsPoolOfFamily() {
    assertThat(pools)
        .extracting(PoolSpec::name)
        .containsExactly(
            "gpu--g2-standard-12",
            "gpu--a2-highgpu-1g",
            "gpu--g2-standard-12-fallback",
            "gpu--a2-highgpu-1g-fallback");
    assertThat(pools)
        .extracting(PoolSpec::family)
        .containsExactly("gpu", "gpu", "gpu-fallback", "gpu-fallback");
    assertThat(pools).allSatisfy(pool -> assertThat(pool.labels()).containsEntry("room", "2"));
  }

  @Test
  void firstTypeIsKeptWarm() {
    assertThat(pools).extracting(PoolSpec::min).containsExactly(1, 0, 0, 0);
    assertThat(pools).extracting(PoolSpec::spares).containsExactly(2, 0, 0, 0);
    assertThat(pools).extracting(PoolSpec::max).containsExactly(8, 8, 2, 2);
  }

  @Test
  void typeMayHaveZonesAndViewOfItsOwn() {
    assertThat(pools.get(0).zones()).containsExactly("us-central1-a", "us-central1-b");
    assertThat(pools.get(1).zones()).containsExactly("us-central1-c");
    assertThat(pools.get(0).visible().cpuMillis()).isEqualTo(12_000);
    assertThat(pools.get(1).visible().cpuMillis()).isEqualTo(8_000);
  }

  @Test
  void jobNamesFamilyOrType() {
    var all = Placement.inPools(List.of("gpu"));
    var one = Placement.inPools(List.of("gpu--a2-highgpu-1g"));

    assertThat(pools)
        .extracting(pool -> all.allowsPool(pool.name()))
        .containsExactly(true, true, false, false);
    assertThat(pools)
        .extracting(pool -> one.allowsPool(pool.name()))
        .containsExactly(false, true, false, false);
    assertThat(pools)
        .extracting(pool -> one.allowsFallbackPool(pool.name()))
        .containsExactly(false, true, false, true);
  }
}
