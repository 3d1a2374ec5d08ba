package dev.mayfly.cli.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NamedStorageTest {
  private static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab
      storage:
        - {name: data, nfs: "h:/a", path: /mnt/data}
        - {name: results, bucket: lab-results, path: /mnt/results}
        - {name: spare, nfs: "h:/b", path: /mnt/spare}
      pools:
        - name: cpu
          machine: {type: n2-standard-4}
          zones: [us-central1-a]
          workers: {max: 2}
          storage: [data, results]
      """;

  private static ClusterSpec cluster() {
    var command = UserDocuments.parse(CLUSTER.getBytes(UTF_8), "", Map.of()).getFirst().command();
    return ((UserCommand.ApplyCluster) command).spec();
  }

  private static WorkerStatus worker(String name, String state, MountUse... uses) {
    var w = ViewFixtures.worker(name, state, 5, Optional.empty());
    return new WorkerStatus(
        w.name(),
        w.pool(),
        w.zone(),
        w.machineType(),
        w.state(),
        w.since(),
        w.reason(),
        w.due(),
        w.idleSince(),
        w.total(),
        w.leases(),
        w.createdAt(),
        w.firstSyncAt(),
        w.instanceId(),
        w.problem(),
        w.problemKind(),
        List.of(uses),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static CopyPlace place(String name, String path, WorkerStatus... workers) {
    return new NamedStorage(cluster(), List.of(workers)).place(name, path);
  }

  @Test
  void volumeIsReachedOnReadyWorker() {
    var use = new MountUse("/volumes/data", Optional.of("data"), 10, 1);

    var place =
        place(
            "data",
            "/sets/one/",
            worker("a", "draining", use),
            worker("b", "ready"),
            worker("c", "ready", use));

    assertThat(place).isEqualTo(new CopyPlace.OnMachine("c", "/volumes/data/sets/one/"));
  }

  @Test
  void bucketNeedsNoWorker() {
    assertThat(place("results", "a/b"))
        .isEqualTo(new CopyPlace.InBucket(ObjectUrl.of("gs://lab-results/a/b")));
  }

  @Test
  void volumeWithoutWorkerNamesRemedy() {
    assertThatThrownBy(() -> place("data", "x", worker("b", "ready")))
        .hasMessageContaining("no worker has storage data mounted now")
        .hasMessageContaining("mayfly dev --pool cpu --for 1h");
    assertThatThrownBy(() -> place("spare", "x"))
        .hasMessageContaining("no pool of cluster lab mounts storage spare");
  }

  @Test
  void unknownNameListsKnownOnes() {
    assertThatThrownBy(() -> place("dat", "x"))
        .hasMessageContaining("cluster lab has no storage dat; it has data, results, spare")
        .hasMessageContaining("did you mean 'data'?")
        .hasMessageContaining("./dat:");
  }

  @Test
  void pathStaysInStorage() {
    assertThatThrownBy(() -> place("data", "../etc/passwd"))
        .hasMessageContaining("leads out of the storage");
    assertThatThrownBy(() -> place("results", "a/../../b")).hasMessageContaining("without ..");
  }
}
