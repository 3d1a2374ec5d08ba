package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Url;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two clusters at work, and one document of the first that cannot be read for a while: the second
 * is served as if nothing were wrong, the first loses nothing, and mending the document is enough.
 */
class UnreadableTest {
  private static final Duration BROKEN = Duration.ofMinutes(8);
  private static final Duration LONG = Duration.ofHours(2);
  private static final int MAX = 3;

  private final Stage stage =
      Stage.of(5, 1, MAX, Stage.job(0, 60, 2, Duration.ofSeconds(100), false));

  static Stream<Class<? extends Document>> kinds() {
    return Stream.of(
        Cluster.class,
        ClusterName.class,
        Worker.class,
        Job.class,
        JobName.class,
        Shard.class,
        Turns.class,
        Pulse.class,
        Beats.class,
        Event.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theOthersAreServedAndMendingIsEnough(Class<? extends Document> kind) {
    bothAtWork();
    var machines = machines();
    var before = done();
    var broken = first(kind);

    stage.world.ledger().spoil(broken);
    stage.pass(BROKEN);

    assertThat(done() - before).as("tasks of the other cluster").isGreaterThan(20);
    assertThat(machines()).as("machines of the first").containsAll(machines).hasSize(MAX);
    assertThat(stage.lost()).as("workers given up").isZero();
    assertThat(stage.world.schedule().paused()).isFalse();

    stage.world.ledger().mend(broken);
    stage.until(stage::ended, LONG);

    assertThat(stage.world.truth().all(Job.class))
        .extracting(j -> ((JobState.Ended) j.state()).result())
        .containsOnly(JobState.Result.SUCCEEDED);
    assertThat(stage.begun(60)).as("no task began twice").isEqualTo(60 + 60);
  }

  @Test
  void aWorkerThatCannotBeReadIsReplacedByNoOther() {
    bothAtWork();
    var orders = stage.world.fleet().ever().size();
    for (var worker : workers()) stage.world.ledger().spoil(worker.key());

    stage.pass(BROKEN);

    assertThat(stage.world.fleet().ever()).hasSize(orders);
    assertThat(machines()).hasSize(MAX);
    for (var worker : workers()) stage.world.ledger().mend(worker.key());
    stage.until(stage::ended, LONG);
  }

  @Test
  void machinesOfAnUnreadableClusterAreLeftAlone() {
    bothAtWork();
    stage.until(stage::ended, LONG);
    var cluster = first(Cluster.class);
    stage.world.ledger().spoil(cluster);
    var machines = machines();

    stage.pass(Duration.ofHours(5));

    assertThat(machines()).as("left alone").isEqualTo(machines);
  }

  /** Both have all their machines, and all of them run something. */
  private void bothAtWork() {
    var spec = stage.world.scenario().cluster();
    var other = new ClusterSpec("other", "gs://other", spec.env(), spec.pools(), Optional.empty());
    stage.world.users().publish(new Command.ApplyCluster(other));
    stage.pass(Duration.ofMinutes(1));
    var like = Stage.job(7, 60, 2, Duration.ofSeconds(100), false).spec();
    var job =
        new JobSpec(
            // What is known of tasks of a planned job holds for those of its namesake too.
            "job-0",
            "other",
            like.owner(),
            like.tasks(),
            new JobSpec.Data(Optional.of("gs://other/out/{index}"), false, false, false),
            like.run(),
            like.resources(),
            like.retries(),
            like.priority(),
            like.place(),
            like.exclusive(),
            like.gang(),
            like.anyRegion(),
            like.settle());
    stage.world.users().submit(job, "other");
    stage.until(() -> stage.running().size() == 4 * MAX, Duration.ofMinutes(15));
  }

  private Key<?> first(Class<? extends Document> kind) {
    return stage.world.truth().all(kind).stream()
        .map(Document::key)
        .filter(k -> !kind.equals(Worker.class) || k.path().startsWith("clusters/" + lab()))
        .filter(k -> kind.equals(ClusterName.class) || !k.path().startsWith("clusters/" + other()))
        .findFirst()
        .orElseThrow();
  }

  private String lab() {
    return uid("lab");
  }

  private String other() {
    return uid("other");
  }

  private String uid(String name) {
    return stage.world.truth().all(Cluster.class).stream()
        .filter(c -> c.spec().name().equals(name))
        .map(Cluster::uid)
        .findFirst()
        .orElseThrow();
  }

  private List<Worker> workers() {
    return stage.workers().stream()
        .filter(w -> w.cluster().equals(lab()) && !(w.state() instanceof WorkerState.Gone))
        .toList();
  }

  private List<String> machines() {
    return stage.world.fleet().machines().stream()
        .filter(m -> lab().equals(m.labels().get("mayfly-cluster")))
        .map(m -> m.name().name())
        .sorted()
        .toList();
  }

  /** Tasks of the other cluster that have their sentinel. */
  private long done() {
    return stage.world.objects().list(Url.of("gs://other/out/"), "", 1_000).objects().stream()
        .filter(o -> o.url().name().endsWith(Sentinel.SUFFIX))
        .count();
  }
}
