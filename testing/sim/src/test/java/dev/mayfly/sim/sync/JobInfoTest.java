package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.fixture.SmallPools;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The job info that agents receive, and its update after a change of the cluster. */
class JobInfoTest {
  private final LabCluster labCluster = new LabCluster();
  private final ScriptedAgent worker = labCluster.machine("w");

  private JobInfo first() {
    labCluster.submit(LabCluster.count("j", 100));
    return worker.syncAndWait().specs().getFirst();
  }

  private void change(UnaryOperator<ClusterSpec> how) {
    labCluster.publish(new UserCommand.ApplyCluster(how.apply(spec()), Optional.empty(), false));
    // As long as an instance may use its cache.
    labCluster.advance(5_001);
  }

  private ClusterSpec spec() {
    return labCluster
        .store
        .read(new DocumentKey.OfCluster(labCluster.uid))
        .orElseThrow()
        .value()
        .spec();
  }

  private static ClusterSpec with(
      ClusterSpec s, Map<String, String> env, Map<String, String> secrets, String image) {
    return ClusterBuilder.like(s)
        .env(env)
        .secrets(secrets)
        .image(image.isEmpty() ? Optional.empty() : Optional.of(image))
        .registries(Map.of())
        .rollout(RolloutSpec.DEFAULT)
        .build();
  }

  @Test
  void knownJobInfoIsNotResent() {
    first();
    worker.wait = 0;
    labCluster.advance(10_000);

    assertThat(worker.syncAndWait().specs()).isEmpty();
  }

  @Test
  void environmentSecretsAndImageChangesAreSent() {
    var before = first();
    change(s -> with(s, Map.of("TAG", "2"), Map.of(), ""));
    var second = worker.syncAndWait();
    change(s -> with(s, s.env(), Map.of("KEY", "wandb/latest"), ""));
    var third = worker.syncAndWait();
    change(s -> with(s, s.env(), s.secrets(), "docker.io/lab/job:2"));
    var fourth = worker.syncAndWait();

    assertThat(second.specs())
        .singleElement()
        .satisfies(s -> assertThat(s.env()).containsEntry("TAG", "2"))
        .satisfies(s -> assertThat(s.hash()).isNotEqualTo(before.hash()));
    assertThat(third.specs())
        .singleElement()
        .satisfies(s -> assertThat(s.spec().run().secrets()).containsKey("KEY"));
    assertThat(fourth.specs())
        .singleElement()
        .satisfies(s -> assertThat(s.spec().run().image()).contains("docker.io/lab/job:2"));
    assertThat(fourth.leases())
        .isNotEmpty()
        .allMatch(l -> l.jobHash().equals(fourth.specs().getFirst().hash()));
  }

  @Test
  void jobLoginPrecedesChangedClusterLogin() {
    labCluster.submit(withLogins(LabCluster.count("j", 100), Map.of("ghcr.io", "own/1")));
    worker.syncAndWait();
    change(s -> logins(s, Map.of("ghcr.io", "lab/latest", "docker.io", "hub/latest")));

    assertThat(worker.syncAndWait().specs())
        .singleElement()
        .satisfies(s ->
            assertThat(s.spec().run().registries())
                .isEqualTo(Map.of("ghcr.io", "own/1", "docker.io", "hub/latest")));
  }

  private static ClusterSpec logins(ClusterSpec s, Map<String, String> logins) {
    return ClusterBuilder.like(s).registries(logins).build();
  }

  private static JobSpec withLogins(JobSpec s, Map<String, String> logins) {
    var run = s.run();
    return JobBuilder.like(s).run(RunBuilder.like(run).registries(logins)).build();
  }

  @Test
  void poolChangeSendsNothing() {
    var before = first();
    change(
        s -> ClusterBuilder.like(s).pools(s.pools().getFirst(), SmallPools.named("more")).build());
    worker.wait = 0;
    var next = worker.syncAndWait();

    assertThat(next.specs()).isEmpty();
    assertThat(next.leases()).allMatch(l -> l.jobHash().equals(before.hash()));
  }

  @Test
  void bucketStaysWhileJobsLive() {
    first();
    var cluster = spec();
    var moved = ClusterBuilder.like(cluster).bucket("gs://other").build();
    var refused = labCluster.publish(new UserCommand.ApplyCluster(moved, Optional.empty(), false));

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("gs://lab", "its live jobs (1)", "stop them");
    assertThat(
            labCluster.store.read(new DocumentKey.OfCluster(labCluster.uid)).orElseThrow().value())
        .extracting(Cluster::spec)
        .isEqualTo(cluster);
  }
}
