package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.DataLocality;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fake.SimCodec;
import dev.mayfly.sim.fake.SimObjectStore;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that a cluster must reject. */
class JobAdmissionTest {
  private final SimTime time = new SimTime(DocumentFixtures.T0);
  private final SimObjectStore objects = new SimObjectStore(time);
  private final JobAdmission jobAdmission =
      new JobAdmission(
          new PlainPools(),
          new TaskLister(objects, new SimCodec()),
          new DataLocality(objects, time));

  private void admit(JobSpec job, ClusterSpec cluster) {
    jobAdmission.admit(job, cluster, "uid");
  }

  @Test
  void imageNeedsContainerEngine() {
    var cluster = cluster("", "plain", "docker");

    assertThatThrownBy(() -> admit(job("lab/x:1"), cluster))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("image: needs a container engine")
        .hasMessageContaining("plain: starts from bare")
        .hasMessageNotContaining("docker: ")
        .hasMessageContaining("machine.image")
        .hasMessageContaining("write image in the cluster's file too");
    assertThatCode(() -> admit(job(""), cluster)).doesNotThrowAnyException();
  }

  @Test
  void clusterImageCountsToo() {
    assertThatThrownBy(() -> admit(job(""), cluster("lab/x:1", "plain")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("image")
        .as("which did not help")
        .hasMessageNotContaining("cluster's file");
  }

  @Test
  void unnamedPoolsMayLackContainers() {
    var job = job("lab/x:1", "docker");

    assertThatCode(() -> admit(job, cluster("", "plain", "docker"))).doesNotThrowAnyException();
  }

  @Test
  void runnerIsNotForContainers() {
    var rules = new TaskEnvironment.Runner(Optional.empty(), Optional.empty());
    var job = job("").with(TaskEnvironment.NONE.with(rules));

    assertThatThrownBy(() -> admit(job, cluster("lab/x:1", "docker")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(
            "runner: is not for containers yet, and tasks of this job run in lab/x:1");
    assertThatCode(() -> admit(job, cluster("", "docker"))).doesNotThrowAnyException();
  }

  @Test
  void runnerIsNotForSeveralHosts() {
    var rules = new TaskEnvironment.Runner(Optional.empty(), Optional.empty());
    var plain =
        JobBuilder.named("j").run(RunBuilder.of("true")).resources(new Resources(0, 0, 0, 4));
    var job = plain.build().with(TaskEnvironment.NONE.with(rules));
    var slices = ClusterBuilder.named("lab").pools(List.of(tpu("slices", "v4-16"))).build();
    var both = List.of(tpu("slices", "v4-16"), tpu("single", "v4-8"));

    assertThatThrownBy(() -> admit(job, slices))
        .hasMessage(
            "runner: is not for tasks on several hosts yet, and those of this job may run on a v4-16 of pool slices; leave runner out");
    assertThatThrownBy(() -> admit(job, ClusterBuilder.named("lab").pools(both).build()))
        .hasMessageEndingWith("; leave runner out, or name other pools: [single]");
    assertThatCode(() -> admit(job, ClusterBuilder.named("lab").pools(both.subList(1, 2)).build()))
        .doesNotThrowAnyException();
    assertThatCode(() -> admit(plain.build(), slices)).doesNotThrowAnyException();
  }

  private static PoolSpec tpu(String name, String type) {
    return new PoolSpec(
        name,
        type,
        TpuTypes.of(type).orElseThrow().host(),
        List.of("us-central2-b"),
        Provisioning.SPOT,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.tpu(type, "tpu-ubuntu2204-base"));
  }

  @Test
  void clusterAndDeploymentMustAllowSubmitter() {
    var job = job("").with(new TaskRights(false, false, true));
    var allowed = new TaskRights(false, false, true);

    assertThatThrownBy(() -> admit(job, cluster("", "docker")))
        .hasMessageContaining("submitter: is true")
        .hasMessageContaining("allow: [submitter]");
    assertThatThrownBy(() -> admit(job, cluster(allowed, "", "plain", "docker")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("plain: no task submits here")
        .hasMessageNotContaining("docker: ");
    assertThatCode(() -> admit(job, cluster(allowed, "", "docker"))).doesNotThrowAnyException();
  }

  /** Pools named plain have machines without a container engine. */
  private static final class PlainPools implements JobAdmission.PoolLimits {
    @Override
    public Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool) {
      return pool.name().equals("plain") ? Optional.of("starts from bare") : Optional.empty();
    }

    @Override
    public Optional<String> whyNoSubmitters(PoolSpec pool) {
      return pool.name().equals("plain") ? Optional.of("no task submits here") : Optional.empty();
    }
  }

  private static ClusterSpec cluster(String image, String... pools) {
    return cluster(TaskRights.NONE, image, pools);
  }

  private static ClusterSpec cluster(TaskRights allows, String image, String... pools) {
    var plain =
        ClusterBuilder.named("lab")
            .pools(List.of(pools).stream().map(JobAdmissionTest::pool).toList())
            .build();
    return ClusterBuilder.like(plain)
        .image(Optional.of(image).filter(i -> !i.isEmpty()))
        .allows(allows)
        .build();
  }

  private static PoolSpec pool(String name) {
    return new PoolSpec(
        name,
        "e2-standard-2",
        Resources.cpu(2, 8L << 30),
        List.of("us-central1-a"),
        Provisioning.SPOT,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static JobSpec job(String image, String... pools) {
    return JobBuilder.named("j")
        .run(
            RunBuilder.of("true")
                .timeout(Duration.ofMinutes(30))
                .grace(Duration.ofSeconds(10))
                .image(Optional.of(image).filter(i -> !i.isEmpty())))
        .pools(List.of(pools))
        .build();
  }
}
