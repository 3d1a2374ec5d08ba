package dev.mayfly.sim.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two busy clusters, and one document of the first that is unreadable for a while: the second is
 * served as usual, the first loses nothing, and repairing the document is enough.
 */
class UnreadableDocumentTest {
  private static final Duration BROKEN = Duration.ofMinutes(8);
  private static final Duration LONG = Duration.ofHours(2);
  private static final int MAX = 3;

  private final ScriptedWorld scriptedWorld =
      ScriptedWorld.of(5, 1, MAX, ScriptedWorld.job(0, 60, 2, Duration.ofSeconds(100), false));

  static Stream<Class<? extends LedgerDocument>> kinds() {
    return Stream.of(
        Cluster.class,
        ClusterName.class,
        Worker.class,
        Job.class,
        JobName.class,
        Shard.class,
        JobQueue.class,
        ChangeSignal.class,
        Heartbeats.class,
        EventRecord.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theOthersAreServedAndMendingIsEnough(Class<? extends LedgerDocument> kind) {
    bothAtWork();
    var machines = machines();
    var before = done();
    var broken = first(kind);

    scriptedWorld.world.ledger().spoil(broken);
    scriptedWorld.advance(BROKEN);

    assertThat(done() - before).as("tasks of the other cluster").isGreaterThan(20);
    assertThat(machines()).as("machines of the first").containsAll(machines).hasSize(MAX);
    assertThat(scriptedWorld.lost()).as("workers given up").isZero();
    assertThat(scriptedWorld.world.schedule().paused()).isFalse();

    scriptedWorld.world.ledger().mend(broken);
    scriptedWorld.until(scriptedWorld::ended, LONG);

    assertThat(scriptedWorld.world.truth().all(Job.class))
        .extracting(j -> j.state().end().orElseThrow().result())
        .containsOnly(JobState.Result.SUCCEEDED);
    assertThat(scriptedWorld.begun(60)).as("no task began twice").isEqualTo(60 + 60);
  }

  @Test
  void unreadableWorkerIsNotReplaced() {
    bothAtWork();
    var orders = scriptedWorld.world.fleet().ever().size();
    for (var worker : workers()) scriptedWorld.world.ledger().spoil(worker.key());

    scriptedWorld.advance(BROKEN);

    assertThat(scriptedWorld.world.fleet().ever()).hasSize(orders);
    assertThat(machines()).hasSize(MAX);
    for (var worker : workers()) scriptedWorld.world.ledger().mend(worker.key());
    scriptedWorld.until(scriptedWorld::ended, LONG);
  }

  @Test
  void unreadableClustersMachinesAreKept() {
    bothAtWork();
    scriptedWorld.until(scriptedWorld::ended, LONG);
    var cluster = first(Cluster.class);
    scriptedWorld.world.ledger().spoil(cluster);
    var machines = machines();

    scriptedWorld.advance(Duration.ofHours(5));

    assertThat(machines()).as("left alone").isEqualTo(machines);
  }

  /** Waits until both clusters have all their machines, all of them busy. */
  private void bothAtWork() {
    var spec = scriptedWorld.world.scenario().cluster();
    var other = ClusterBuilder.like(spec, "other").bucket("gs://other").build();
    scriptedWorld
        .world
        .users()
        .publish(new UserCommand.ApplyCluster(other, Optional.empty(), false));
    scriptedWorld.advance(Duration.ofMinutes(1));
    var like = ScriptedWorld.job(7, 60, 2, Duration.ofSeconds(100), false).spec();
    var job =
        new JobSpec(
            // The behavior of a planned job's tasks also applies to its namesake's.
            "job-0",
            "other",
            like.owner(),
            like.tasks(),
            JobBuilder.uploads(Optional.of("gs://other/out/{index}")),
            like.run(),
            like.resources(),
            like.retries(),
            like.priority(),
            like.place(),
            like.exclusive(),
            like.gang(),
            like.anyRegion(),
            like.settle(),
            Optional.empty());
    scriptedWorld.world.users().submit(job, "other");
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4 * MAX, Duration.ofMinutes(15));
  }

  private DocumentKey<?> first(Class<? extends LedgerDocument> kind) {
    return scriptedWorld.world.truth().all(kind).stream()
        .map(LedgerDocument::key)
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
    return scriptedWorld.world.truth().all(Cluster.class).stream()
        .filter(c -> c.spec().name().equals(name))
        .map(Cluster::uid)
        .findFirst()
        .orElseThrow();
  }

  private List<Worker> workers() {
    return scriptedWorld.workers().stream()
        .filter(w -> w.cluster().equals(lab()) && !(w.state() instanceof WorkerState.Gone))
        .toList();
  }

  private List<String> machines() {
    return scriptedWorld.world.fleet().machines().stream()
        .filter(m -> lab().equals(m.labels().get("mayfly-cluster")))
        .map(m -> m.name().name())
        .sorted()
        .toList();
  }

  /** Tasks of the other cluster that have their sentinel. */
  private long done() {
    return scriptedWorld
        .world
        .objects()
        .list(ObjectUrl.of("gs://other/out/"), "", 1_000)
        .objects()
        .stream()
        .filter(o -> o.url().name().endsWith(Sentinel.SUFFIX))
        .count();
  }
}
