package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.veto.InfeasibleReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountedPathsTest {
  private static final StorageSpec DATA =
      new StorageSpec(
          "data", new StorageSource.Nfs("h", "/a"), "/mnt/data", false, Optional.empty());

  private static ClusterSpec cluster(Optional<String> image, Mount... mounts) {
    var with = pool("with").cpus(4).build();
    var without = pool("without").cpus(4).build().withStorage(Optional.of(List.of()));
    return new ClusterSpec(
        "lab",
        "gs://lab",
        Map.of(),
        List.of(with, without),
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

  private static JobSpec job(List<String> command, Map<String, String> env, String... pools) {
    return SpecFixtures.job(1, SpecFixtures.run(command, env, Duration.ofHours(1)), pools);
  }

  private static Optional<InfeasibleReason> shell(String script, String... pools) {
    var job = job(List.of("sh", "-c", script), Map.of(), pools);
    return Feasibility.check(job, cluster(Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls /mnt/data",
        "train --data=/mnt/data/set1 --fast",
        "cat '/mnt/data/a b'",
        "cat \"/mnt/data/x\"",
        "cd /mnt/data; ls",
        "cp x $MAYFLY_MOUNT_DATA/y",
        "cp x ${MAYFLY_MOUNT_DATA}/y"
      })
  void pathThatPoolLacksIsRefused(String script) {
    assertThat(shell(script))
        .hasValueSatisfying(no -> {
          assertThat(no.field()).isEqualTo("command");
          assertThat(no.message())
              .contains("storage data of cluster lab", "does not mount it: without")
              .contains("write pools: [with] in the job, or add data to that pool's storage");
        });
    assertThat(shell(script, "with")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls /mnt/data2",
        "ls /mnt/data-old/x",
        "ls /mnt/data.bak",
        "ls /mnt",
        "rsync host:/mnt/data .",
        "cat gs://b/mnt/data/x",
        "cat $ROOT/mnt/data/x",
        "cat \"$ROOT\"/mnt/data/x",
        "cat $(pwd)/mnt/data",
        "cat ./mnt/data",
        "cat ${MAYFLY_MOUNT_DATA:-/tmp}/x",
        "cat $MAYFLY_MOUNT_DATA2/x"
      })
  void whatMayBeElsewhereIsAccepted(String script) {
    assertThat(shell(script)).isEmpty();
  }

  @Test
  void variableNamesItsField() {
    var job = job(List.of("train"), Map.of("DATA", "/mnt/data/set1"));

    assertThat(Feasibility.check(job, cluster(Optional.empty())))
        .hasValueSatisfying(no -> assertThat(no.field()).isEqualTo("env.DATA"));
  }

  @Test
  void poolsThatAllLackItGetOneRemedy() {
    assertThat(shell("ls /mnt/data", "without"))
        .hasValueSatisfying(
            no -> assertThat(no.message()).contains("; add data").doesNotContain("write pools"));
  }

  @Test
  void imageMayHaveThePathItself() {
    var cluster = cluster(Optional.of("ghcr.io/lab/train:1"));

    assertThat(Feasibility.check(job(List.of("ls", "/mnt/data"), Map.of()), cluster)).isEmpty();
    assertThat(Feasibility.check(job(List.of("$MAYFLY_MOUNT_DATA"), Map.of()), cluster))
        .isPresent();
  }

  @Test
  void surroundingMountMayHaveThePath() {
    var around = new Mount(Mount.Kind.NFS, "h:/b", "/mnt", false);

    assertThat(
            Feasibility.check(
                job(List.of("ls", "/mnt/data"), Map.of()), cluster(Optional.empty(), around)))
        .isEmpty();
  }
}
