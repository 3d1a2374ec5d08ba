package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NodeSettingsTest {
  private static final WorkerInfo WORKER =
      new WorkerInfo(
          "c1", "w-1", "cpu", "n", "http://127.0.0.1:1", "gs://lab", new Resources(2_000, 1, 0, 0));

  @Test
  void requiredSettingsSuffice() {
    var nodeSettings =
        NodeSettings.from(WORKER.metadata(), Map.of("PATH", "/bin", "MAYFLY_HOME", "/x"));

    assertThat(nodeSettings)
        .isEqualTo(
            new NodeSettings(
                WORKER,
                Path.of("/var/lib/mayfly"),
                0,
                java.util.Optional.empty(),
                64L << 20,
                true,
                new NodeSettings.Times(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(36),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(10)),
                NodeSettings.SyncTimes.DEFAULT,
                new NodeSettings.BootRequirements(
                    java.util.Optional.empty(), Map.of(), List.of(), Map.of(), false),
                java.util.Optional.empty(),
                java.util.Optional.empty(),
                java.util.Optional.empty(),
                new NodeSettings.Users(java.util.Optional.empty(), java.util.Optional.empty())));
  }

  @Test
  void submitterNeedsPlaces() {
    var told = new java.util.HashMap<>(WORKER.metadata());
    told.put("mayfly-submitter", "mayfly-task-submitter@lab.iam.gserviceaccount.com");
    told.put("mayfly-api-url", "https://api/");

    assertThatThrownBy(() -> NodeSettings.from(told, Map.of()))
        .hasMessageContaining("mayfly-api-url: is 'https://api/'; write a URL without a slash")
        .hasMessageContaining("mayfly-pubsub-url: is ''");
    told.putAll(
        Map.of(
            "mayfly-api-url", "https://api",
            "mayfly-pubsub-url", "https://pubsub.googleapis.com"));
    assertThat(NodeSettings.from(told, Map.of()).submitter())
        .contains(
            new NodeSettings.Submitter(
                "mayfly-task-submitter@lab.iam.gserviceaccount.com",
                "https://api",
                "https://pubsub.googleapis.com",
                java.util.Optional.empty()));
  }

  @Test
  void listsAllKeys() {
    assertThat(NodeSettings.keys())
        .containsExactly(
            "mayfly-account",
            "mayfly-address",
            "mayfly-api-url",
            "mayfly-bucket",
            "mayfly-cluster",
            "mayfly-cpu-millis",
            "mayfly-cut-off",
            "mayfly-gpu-memory-bytes",
            "mayfly-gpu-millis",
            "mayfly-gpu-sharing",
            "mayfly-host",
            "mayfly-identity",
            "mayfly-image",
            "mayfly-instance-id",
            "mayfly-kill-patience",
            "mayfly-log-cap-bytes",
            "mayfly-log-first",
            "mayfly-log-last",
            "mayfly-memory-bytes",
            "mayfly-metadata-user",
            "mayfly-mounts",
            "mayfly-nonce",
            "mayfly-notice",
            "mayfly-pool",
            "mayfly-power-off-after",
            "mayfly-pubsub-url",
            "mayfly-quit-patience",
            "mayfly-region",
            "mayfly-registries",
            "mayfly-seeds",
            "mayfly-submitter",
            "mayfly-sync-interval",
            "mayfly-task-user",
            "mayfly-tpu-chips",
            "mayfly-wait",
            "mayfly-work-dir",
            "mayfly-worker",
            "mayfly-workers-url");
  }

  @Test
  void laptopHasNamedStorageInFolders() {
    var nfs = new Mount(Mount.Kind.NFS, "h:/a", "/mnt/a", false);
    var named = new Mount(Mount.Kind.NFS, "h:/b", "/mnt/b", false, Optional.of("b"));
    var bucket = new Mount(Mount.Kind.GCS, "lab", "/mnt/c", true, Optional.of("c"));
    var attributes = new HashMap<>(WORKER.metadata());
    attributes.put("mayfly-mounts", Mount.text(List.of(nfs, named, bucket)));

    var plain = NodeSettings.from(attributes, Map.of()).equipment().mounts();
    var laptop =
        Map.of("MAYFLY_VM_VOLUMES", "/home/ada/volumes", "MAYFLY_VM_BUCKETS", "/vms/m/buckets");
    var played = NodeSettings.from(attributes, laptop).equipment().mounts();

    assertThat(plain).containsExactly(nfs, named, bucket);
    assertThat(played)
        .containsExactly(nfs, named.playedBy("/home/ada/volumes/b"), bucket.at("/vms/m/buckets/c"));
  }

  @Test
  void environmentOverridesAttributes() {
    var attributes = new HashMap<>(WORKER.metadata());
    attributes.put("mayfly-work-dir", "/a");
    attributes.put("startup-script", "not ours");

    var nodeSettings =
        NodeSettings.from(attributes, Map.of("MAYFLY_WORK_DIR", "/b", "MAYFLY_WAIT", "PT1S"));

    assertThat(nodeSettings.workDir()).isEqualTo(Path.of("/b"));
    assertThat(nodeSettings.pace().waiting()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void reportsAllProblemsAtOnce() {
    var attributes = new HashMap<>(WORKER.metadata());
    attributes.remove("mayfly-nonce");
    attributes.put("mayfly-cpu-millis", "many");

    assertThatThrownBy(() ->
            NodeSettings.from(
                attributes,
                Map.of(
                    "MAYFLY_WORKDIR", "/x",
                    "MAYFLY_LOG_FIRST", "2s",
                    "MAYFLY_IDENTITY", "maybe")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("mayfly-nonce: is missing")
        .hasMessageContaining("mayfly-cpu-millis: is 'many'")
        .hasMessageContaining("MAYFLY_WORKDIR: is not a setting")
        .hasMessageContaining("mayfly-log-first: is '2s'; write a duration such as PT10S")
        .hasMessageContaining("mayfly-identity: is 'maybe'; write true or false");
  }
}
