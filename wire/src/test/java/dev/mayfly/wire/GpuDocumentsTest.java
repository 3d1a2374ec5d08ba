package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.capacity.PoolVersions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of GPUs, and how they are shared, as users write it. */
class GpuDocumentsTest {
  private static final long MIB = 1L << 20;

  private static ClusterSpec cluster(String pool) {
    var text =
        "{\"apiVersion\": \"mayfly.dev/v1\", \"kind\": \"Cluster\", \"name\": \"lab\", \"bucket\":"
            + " \"gs://lab\", \"pools\": [{\"name\": \"gpu\", \"zones\": [\"z-1\"], \"workers\":"
            + " {\"max\": 2}, "
            + pool
            + "}]}";
    var command =
        UserDocuments.parse(text.getBytes(UTF_8), "a.json", Map.of()).getFirst().command();
    return ((UserCommand.ApplyCluster) command).spec();
  }

  private static PoolSpec pool(String pool) {
    return cluster(pool).pools().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "machine": {"type": "g2-standard-24"}                                             | 2000 | 23034
          "machine": {"type": "a2-highgpu-1g"}                                              | 1000 | 40960
          "machine": {"type": "n1-standard-8", "gpu": {"type": "nvidia-tesla-t4"}}          | 1000 | 15360
          "machine": {"type": "n1-standard-8", "gpu": {"type": "nvidia-new"}}, "visible": {"gpuMemory": "24Gi"} | 1000 | 24576
          "machine": {"type": "n2-standard-8"}                                              | 0    | 0
          "machine": {"type": "g2-standard-4"}, "visible": {"gpuMemory": "20Gi"}            | 1000 | 20480
          "machine": {"type": "g2-standard-4"}, "visible": {"gpu": 0}                       | 0    | 0
          """)
  void poolHasMemoryOfItsGpus(String pool, long millis, long mib) {
    var visible = pool(pool).visible();

    assertThat(visible.gpuMillis()).isEqualTo(millis);
    assertThat(visible.gpuMemoryBytes()).isEqualTo(mib * MIB);
  }

  @Test
  void moreThanGpuHasIsRefused() {
    assertThatThrownBy(() ->
            pool(
                "\"machine\": {\"type\": \"g2-standard-4\"}, \"visible\": {\"gpuMemory\":"
                    + " \"24Gi\"}"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("visible.gpuMemory")
        .hasMessageContaining("24Gi is more than a GPU of g2-standard-4 has, 23034Mi");
  }

  @Test
  void sharingIsTimeSlicingUnlessSaid() {
    var plain = "\"machine\": {\"type\": \"g2-standard-4\"}";
    assertThat(pool(plain).machine().hasMps()).isFalse();
    assertThat(pool(plain + ", \"gpuSharing\": \"time-slicing\"")).isEqualTo(pool(plain));

    var shared = cluster(plain + ", \"gpuSharing\": \"mps\"");
    assertThat(shared.preparationMetadata(shared.pools().getFirst(), "z-1"))
        .containsEntry("mayfly-gpu-sharing", "mps");
    assertThat(PoolVersions.replacing(cluster(plain), pool(plain), shared))
        .containsExactly("machine");
    assertThatThrownBy(() -> pool("\"tpu\": {\"type\": \"v4-8\"}, \"gpuSharing\": \"mps\""))
        .hasMessageContaining("gpuSharing")
        .hasMessageContaining("is not for TPUs");
  }

  @Test
  void clusterOfOlderVersionKeepsItsMachines() {
    var now = cluster("\"machine\": {\"type\": \"g2-standard-4\"}");
    var pool = now.pools().getFirst();
    var stored =
        new PoolSpec(
            pool.name(),
            pool.machineType(),
            pool.visible().withGpuMemory(0),
            pool.zones(),
            pool.provisioning(),
            pool.min(),
            pool.max(),
            pool.idleAfter(),
            pool.life(),
            pool.machine());

    assertThat(PoolVersions.replacing(now, stored, now)).isEmpty();
    var less =
        cluster(
            "\"machine\": {\"type\": \"g2-standard-4\"}, \"visible\": {\"gpuMemory\": \"8Gi\"}");
    assertThat(PoolVersions.replacing(now, pool, less)).containsExactly("visible");
  }

  @Test
  void jobAsksForMemoryAlone() {
    var text =
        "{\"apiVersion\": \"mayfly.dev/v1\", \"kind\": \"Job\", \"name\": \"j\", \"cluster\":"
            + " \"lab\", \"tasks\": {\"count\": 1}, \"command\": [\"true\"], \"resources\":"
            + " {\"gpuMemory\": \"6Gi\"}}";
    var command =
        UserDocuments.parse(text.getBytes(UTF_8), "a.json", Map.of()).getFirst().command();

    assertThat(((UserCommand.SubmitJob) command).spec().resources())
        .isEqualTo(new Resources(1_000, 0, 0, 0, 6_144 * MIB));
  }
}
