package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnmountedPathsTest {
  private static final StorageSpec DATA =
      new StorageSpec(
          "data", new StorageSource.Nfs("h", "/a"), "/mnt/data", false, Optional.empty());
  private static final Mount TEAM = new Mount(Mount.Kind.NFS, "h:/t", "/team/vol", false);
  private static final Mount HOME = new Mount(Mount.Kind.NFS, "h:/h", "/home/shared", false);

  private static ClusterSpec cluster(Optional<String> image, PoolSpec pool, Mount... mounts) {
    return new ClusterSpec(
        "lab",
        "gs://lab",
        Map.of(),
        List.of(pool),
        Optional.empty(),
        Map.of(),
        image,
        Map.of(),
        List.of(mounts),
        RolloutSpec.DEFAULT,
        TaskRights.NONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(List.of(DATA)),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static ClusterSpec cluster() {
    return cluster(Optional.empty(), pool("cpu").cpus(4).build(), TEAM, HOME);
  }

  private static JobSpec job(String script, Map<String, String> env) {
    return SpecFixtures.job(
        1, SpecFixtures.run(List.of("sh", "-c", script), env, Duration.ofHours(1)));
  }

  private static List<InputError> warnings(String script) {
    return UnmountedPaths.of(job(script, Map.of()), cluster());
  }

  @Test
  void nearMissSuggestsMount() {
    assertThat(warnings("train --data /mnt/dtaa/set1"))
        .containsExactly(
            new InputError(
                "command",
                "names /mnt/dtaa/set1, and the machines of cpu mount nothing there; did you mean '/mnt/data'?"));
    assertThat(warnings("ls /home/sharde/me"))
        .singleElement()
        .satisfies(w -> assertThat(w.message()).contains("did you mean '/home/shared'?"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls /mnt/elsewhere",
        "cp x /data/set",
        "ls '/nfs/a'",
        "train --out=/scratch/me",
        "ls /team/other"
      })
  void pathWithoutMountIsWarnedOf(String script) {
    assertThat(warnings(script))
        .singleElement()
        .satisfies(w ->
            assertThat(w.message())
                .contains("its mounts are /team/vol, /home/shared, /mnt/data")
                .contains("boot image"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls /mnt/data/x /team/vol/y /home/shared",
        "/usr/bin/python3 /opt/train.py --tmp /tmp/x",
        "ls /home/me/x",
        "cp gs://lab/mnt/x ./mnt/y data/z",
        "rsync host:/mnt/x .",
        "echo 1/2 a/mnt/b"
      })
  void otherPathsAreLeftAlone(String script) {
    assertThat(warnings(script)).isEmpty();
  }

  @Test
  void variablesAreReadAndPathsNamedOnce() {
    var job = job("ls /mnt/dtaa", Map.of("SET", "/mnt/dtaa", "OUT", "/mnt/otu"));

    assertThat(UnmountedPaths.of(job, cluster()))
        .extracting(InputError::path)
        .containsExactly("command", "env.OUT");
  }

  @Test
  void imagesAndStaticWorkersMayHaveFolders() {
    var job = job("ls /mnt/dtaa", Map.of());
    var own = pool("own").cpus(4).provisioning(Provisioning.STATIC).build();

    assertThat(UnmountedPaths.of(job, cluster(Optional.of("x:1"), pool("cpu").cpus(4).build())))
        .isEmpty();
    assertThat(UnmountedPaths.of(job, cluster(Optional.empty(), own))).isEmpty();
  }
}
