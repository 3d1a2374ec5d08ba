package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.SeedSpec;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.message.UserCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StorageDocumentsTest {
  private static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab
      storage:
        - {name: data, filestore: {zone: us-central1-a, capacityGb: 2048}, path: /mnt/data}
        - {name: found, filestore: {}, path: /mnt/found, readOnly: true}
        - {name: home, nfs: "10.0.0.2:/home", path: /mnt/home}
        - {name: results, bucket: lab-results, path: /mnt/results}
      pools:
        - name: cpu
          machine: {type: n2-standard-4}
          zones: [us-central1-a]
          workers: {max: 2}
          storage: [data, home]
        - name: gpu
          machine: {type: n2-standard-8}
          zones: [us-central1-a]
          workers: {max: 2}
        - name: none
          machine: {type: n2-standard-8}
          zones: [us-central1-a]
          workers: {max: 2}
          onDemand: {max: 1}
          storage: []
      """;

  private static ClusterSpec cluster() {
    var command = UserDocuments.parse(CLUSTER.getBytes(UTF_8), "", Map.of()).getFirst().command();
    return ((UserCommand.ApplyCluster) command).spec();
  }

  @Test
  void eachKindIsReadOnce() {
    var usual = StorageSource.Filestore.USUAL;

    assertThat(cluster().storages())
        .containsExactly(
            new StorageSpec(
                "data",
                new StorageSource.Filestore(
                    Optional.of("us-central1-a"), Optional.of(2048L), usual),
                "/mnt/data",
                false,
                Optional.empty()),
            new StorageSpec(
                "found",
                new StorageSource.Filestore(Optional.empty(), Optional.empty(), usual),
                "/mnt/found",
                true,
                Optional.empty()),
            new StorageSpec(
                "home",
                new StorageSource.Nfs("10.0.0.2", "/home"),
                "/mnt/home",
                false,
                Optional.empty()),
            new StorageSpec(
                "results",
                new StorageSource.Bucket("lab-results"),
                "/mnt/results",
                false,
                Optional.empty()));
  }

  @Test
  void seedIsScriptOrArchive() {
    var script = "seed: {script: make data, timeout: 2h}";
    var archive = "seed: {from: \"https://example.org/a.tar\"}";

    assertThat(seed(script))
        .isEqualTo(new SeedSpec(List.of("sh", "-eu", "-c", "make data"), Duration.ofHours(2)));
    assertThat(seed(archive).command()).endsWith("seed", "https://example.org/a.tar");
    assertThat(seed(archive).timeout()).isEqualTo(SeedSpec.TIMEOUT);
  }

  private static SeedSpec seed(String text) {
    var cluster = CLUSTER.replace("path: /mnt/home", "path: /mnt/home, " + text);
    var command = UserDocuments.parse(cluster.getBytes(UTF_8), "", Map.of()).getFirst().command();
    var spec = ((UserCommand.ApplyCluster) command).spec();
    return spec.storage("home").orElseThrow().seed().orElseThrow();
  }

  @Test
  void poolsUseStorageByName() {
    assertThat(paths("cpu")).containsExactly("/mnt/data", "/mnt/home");
    assertThat(paths("gpu")).hasSize(4);
    assertThat(paths("none")).isEmpty();
    assertThat(paths("none-fallback")).isEmpty();
  }

  private static List<String> paths(String pool) {
    var spec = cluster();
    return spec.mountsOf(spec.pool(pool).orElseThrow()).stream().map(Mount::path).toList();
  }
}
