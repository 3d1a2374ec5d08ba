package dev.mayfly.core.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.capacity.PoolVersions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StorageSpecTest {
  private static final StorageSpec DATA =
      new StorageSpec(
          "data",
          new StorageSource.Filestore(
              Optional.of("us-central1-a"), Optional.of(1024L), StorageSource.Filestore.USUAL),
          "/mnt/data",
          true,
          Optional.empty());
  private static final StorageSpec HOME =
      new StorageSpec(
          "home-2",
          new StorageSource.Nfs("10.0.0.2", "/home"),
          "/mnt/home",
          false,
          Optional.empty());

  private static PoolSpec pool(String... storage) {
    var plain =
        new PoolSpec(
            "cpu",
            "n2-standard-4",
            Resources.ZERO,
            List.of("us-central1-a"),
            Provisioning.SPOT,
            0,
            1,
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            MachineSpec.PLAIN);
    return storage.length == 0 ? plain : plain.withStorage(Optional.of(List.of(storage)));
  }

  private static ClusterSpec cluster(PoolSpec pool, StorageSpec... storage) {
    return new ClusterSpec(
        "lab",
        "gs://lab",
        Map.of(),
        List.of(pool),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of(new Mount(Mount.Kind.GCS, "lab", "/mnt/lab", false)),
        RolloutSpec.DEFAULT,
        TaskRights.NONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(List.of(storage)),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void poolMountsWhatItNames() {
    var cluster = cluster(pool("home-2"), DATA, HOME);

    assertThat(cluster.mountsOf(cluster.pools().getFirst()))
        .extracting(Mount::path)
        .containsExactly("/mnt/lab", "/mnt/home");
  }

  @Test
  void poolWithoutListMountsAll() {
    var cluster = cluster(pool(), DATA, HOME);
    var metadata = cluster.preparationMetadata(cluster.pools().getFirst(), "us-central1-a");
    var mounts = Mount.parse(metadata.getOrDefault("mayfly-mounts", ""));

    assertThat(mounts).isEqualTo(cluster.mountsOf(cluster.pools().getFirst()));
    assertThat(mounts.get(1).source()).isEqualTo("us-central1-a/data");
    assertThat(mounts.get(2).variable()).contains("MAYFLY_MOUNT_HOME_2");
  }

  @Test
  void machineIsToldTheSeed() {
    var seed = new SeedSpec(List.of("sh", "-c", "echo 'a\tb'\nls"), Duration.ofHours(2));
    var filled = new StorageSpec("data", DATA.source(), "/mnt/data", false, Optional.of(seed));
    var cluster = cluster(pool(), filled, HOME);
    var text =
        cluster
            .preparationMetadata(cluster.pools().getFirst(), "us-central1-a")
            .get("mayfly-seeds");

    assertThat(SeedSpec.parse(text)).isEqualTo(Map.of("data", seed));
    assertThat(seed.hash()).isEqualTo(SeedSpec.parse(text).get("data").hash()).hasSize(16);
    assertThat(SeedSpec.parse("")).isEmpty();
  }

  @Test
  void olderLinesHaveNoName() {
    assertThat(Mount.parse("NFS\th:/a\t/mnt/a\trw"))
        .containsExactly(new Mount(Mount.Kind.NFS, "h:/a", "/mnt/a", false));
    assertThatThrownBy(() -> Mount.parse("NFS\th:/a\t/mnt/a\trw\ta\tb"))
        .hasMessageContaining("is not a mount");
  }

  @Test
  void onlyPoolsWithChangedStorageAreReplaced() {
    var with = pool("data");
    var without = pool("home-2");
    var moved = new StorageSpec("data", DATA.source(), "/data", true, Optional.empty());

    assertThat(replaced(cluster(with, DATA, HOME), cluster(with, moved, HOME)))
        .containsExactly("mounts");
    assertThat(replaced(cluster(without, DATA, HOME), cluster(without, moved, HOME))).isEmpty();
    assertThat(replaced(cluster(with, DATA, HOME), cluster(without, DATA, HOME)))
        .containsExactly("mounts");
  }

  private static List<String> replaced(ClusterSpec was, ClusterSpec now) {
    return PoolVersions.replacing(was, was.pools().getFirst(), now);
  }

  @Test
  void emptyStorageIsNone() {
    assertThat(cluster(pool()).storage()).isEmpty();
  }
}
