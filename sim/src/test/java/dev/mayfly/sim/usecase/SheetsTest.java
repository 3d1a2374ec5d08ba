package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What an agent is told of a job, and that a change of its cluster reaches it. */
class SheetsTest {
  private final Lab lab = new Lab();
  private final Caller worker = lab.machine("w");

  private JobSheet first() {
    lab.submit(Lab.count("j", 100));
    return worker.ask().specs().getFirst();
  }

  private void change(UnaryOperator<ClusterSpec> how) {
    lab.publish(new Command.ApplyCluster(how.apply(spec())));
    // As long as an instance may go by what it read before.
    lab.pass(5_001);
  }

  private ClusterSpec spec() {
    return lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
  }

  private static ClusterSpec with(
      ClusterSpec s, Map<String, String> env, Map<String, String> secrets, String image) {
    return new ClusterSpec(
        s.name(),
        s.bucket(),
        env,
        s.pools(),
        s.owner(),
        secrets,
        image.isEmpty() ? Optional.empty() : Optional.of(image),
        s.mounts());
  }

  @Test
  void aSheetThatIsKnownIsNotSentAgain() {
    first();
    worker.wait = 0;
    lab.pass(10_000);

    assertThat(worker.ask().specs()).isEmpty();
  }

  @Test
  void aChangeOfTheEnvironmentTheSecretsOrTheImageIsSentAtTheNextSync() {
    var before = first();
    change(s -> with(s, Map.of("TAG", "2"), Map.of(), ""));
    var second = worker.ask();
    change(s -> with(s, s.env(), Map.of("KEY", "wandb/latest"), ""));
    var third = worker.ask();
    change(s -> with(s, s.env(), s.secrets(), "docker.io/lab/job:2"));
    var fourth = worker.ask();

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
  void aChangedLoginOfARegistryIsSentAndAJobsOwnGoesBeforeIt() {
    lab.submit(withLogins(Lab.count("j", 100), Map.of("ghcr.io", "own/1")));
    worker.ask();
    change(s -> logins(s, Map.of("ghcr.io", "lab/latest", "docker.io", "hub/latest")));

    assertThat(worker.ask().specs())
        .singleElement()
        .satisfies(s ->
            assertThat(s.spec().run().registries())
                .isEqualTo(Map.of("ghcr.io", "own/1", "docker.io", "hub/latest")));
  }

  private static ClusterSpec logins(ClusterSpec s, Map<String, String> logins) {
    return new ClusterSpec(
        s.name(),
        s.bucket(),
        s.env(),
        s.pools(),
        s.owner(),
        s.secrets(),
        s.image(),
        logins,
        s.mounts(),
        s.rollout());
  }

  private static JobSpec withLogins(JobSpec s, Map<String, String> logins) {
    var run = s.run();
    return new JobSpec(
        s.name(),
        s.cluster(),
        s.owner(),
        s.tasks(),
        s.data(),
        new JobSpec.Run(
            run.command(),
            run.code(),
            run.env(),
            run.timeout(),
            run.grace(),
            run.cutOff(),
            run.secrets(),
            run.image(),
            logins),
        s.resources(),
        s.retries(),
        s.priority(),
        List.of(),
        s.exclusive());
  }

  @Test
  void aChangeOfPoolsAloneSendsNothing() {
    var before = first();
    change(s ->
        new ClusterSpec(
            s.name(),
            s.bucket(),
            s.env(),
            List.of(s.pools().getFirst(), Pools.named("more")),
            s.owner()));
    worker.wait = 0;
    var next = worker.ask();

    assertThat(next.specs()).isEmpty();
    assertThat(next.leases()).allMatch(l -> l.jobHash().equals(before.hash()));
  }

  @Test
  void theBucketOfAClusterWithLiveJobsStays() {
    first();
    var cluster = spec();
    var moved =
        new ClusterSpec(
            cluster.name(), "gs://other", cluster.env(), cluster.pools(), cluster.owner());
    var refused = lab.publish(new Command.ApplyCluster(moved));

    assertThat(lab.refused(refused))
        .singleElement()
        .asString()
        .contains("gs://lab", "its live jobs (1)", "stop them");
    assertThat(lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value())
        .extracting(Cluster::spec)
        .isEqualTo(cluster);
  }
}
