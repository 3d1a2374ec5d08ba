package dev.mayfly.sim.clusters;

import static dev.mayfly.sim.fixture.ReconcileFixture.pool;
import static dev.mayfly.sim.fixture.ReconcileFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.clusters.SliceCommands;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.sim.fixture.ReconcileFixture;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterCommandsTest {
  private final ReconcileFixture b = new ReconcileFixture();

  @Test
  void repeatedMessageChangesNothing() {
    var at = b.later();
    b.apply(spec(pool(1, 5, ReconcileFixture.ZONE)), at);
    var before = b.ledger.under("");

    b.apply(spec(pool(1, 5, ReconcileFixture.ZONE)), at);

    assertThat(b.ledger.under("")).containsExactlyElementsOf(before);
  }

  @Test
  void redeliveredOldFileChangesNothing() {
    var first = b.later();
    b.apply(spec(pool(0, 10, ReconcileFixture.ZONE)), first);
    b.apply(spec(pool(0, 2, ReconcileFixture.ZONE)), b.later());

    b.apply(spec(pool(0, 10, ReconcileFixture.ZONE)), first);

    assertThat(b.cluster().spec().pools().getFirst().max()).isEqualTo(2);
    assertThat(b.cluster().generation()).isEqualTo(2);
  }

  @Test
  void republishedFileIsNewestCommand() {
    b.apply(spec(pool(0, 2, ReconcileFixture.ZONE)), b.later());
    var between = b.later();
    b.apply(spec(pool(0, 2, ReconcileFixture.ZONE)), b.later());

    b.apply(spec(pool(0, 10, ReconcileFixture.ZONE)), between);

    assertThat(b.cluster().spec().pools().getFirst().max()).isEqualTo(2);
  }

  /** Its machines would be bought and run no task. */
  @Test
  void poolThatCannotMountIsRefused() {
    b.fleet.unmounted = Optional.of("there is no gcsfuse; install it");
    var mounting = spec(pool(1, 5, ReconcileFixture.ZONE));
    var at = b.later();

    assertThatThrownBy(() -> b.apply(mounting, at))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("pools: pool ")
        .hasMessageContaining("there is no gcsfuse; install it");
    assertThat(b.cluster().generation()).isEqualTo(1);
  }

  @Test
  void changedSpecIsNextGeneration() {
    b.apply(spec(pool(1, 5, ReconcileFixture.ZONE)), b.later());

    assertThat(b.cluster().generation()).isEqualTo(2);
    assertThat(b.cluster().spec().pools().getFirst().min()).isEqualTo(1);
  }

  @Test
  void manualEditIsReportedUntilFileIsApplied() {
    var file = b.cluster().spec();
    assertThat(b.views().cluster("lab").problems()).isEmpty();

    edit(spec(pool(0, 7, ReconcileFixture.ZONE)));
    assertThat(b.views().cluster("lab").problems())
        .singleElement()
        .asString()
        .contains("changed by hand after generation 1");

    b.apply(file, b.later());
    assertThat(b.cluster().spec()).isEqualTo(file);
    assertThat(b.views().cluster("lab").problems()).isEmpty();
  }

  @Test
  void newSliceDoesNotHideManualEdit() {
    edit(spec(pool(0, 7, ReconcileFixture.ZONE)));

    new SliceCommands(b.context)
        .create(
            new UserCommand.CreateSlice(
                "lab",
                "big",
                "v4-128",
                1,
                Provisioning.RESERVED,
                Optional.of("r1"),
                Optional.empty(),
                Optional.of("us-central2-b"),
                Optional.empty()),
            b.later());

    assertThat(b.cluster().generation()).isEqualTo(2);
    assertThat(b.views().cluster("lab").problems())
        .singleElement()
        .asString()
        .contains("changed by hand");
  }

  /** Edits the document as in the console. */
  private void edit(ClusterSpec spec) {
    var storedCluster = b.ledger.read(new DocumentKey.OfCluster(b.uid)).orElseThrow();
    var was = storedCluster.value();
    var edited = was.withSpec(spec, was.generation(), was.versions());
    b.ledger.commit(List.of(new LedgerWrite.Update(edited, storedCluster.version())));
  }

  @Test
  void renamedClusterKeepsStateUnderBothNames() {
    b.job("reddit", 1);
    b.tick();
    var machine = b.only().name();

    rename("lab", "pod");

    assertThat(b.cluster().uid()).isEqualTo(b.uid);
    for (var name : List.of("lab", "pod")) {
      assertThat(b.views().cluster(name).name()).isEqualTo("pod");
      assertThat(b.views().workers(name, false)).extracting(WorkerStatus::name).contains(machine);
      assertThat(b.views().jobs(name, 10)).extracting(JobStatus::name).containsExactly("reddit");
    }
    assertThat(b.cluster().prefix()).as("what rights go by").isEqualTo("lab");

    b.changes.down("pod", b.later());
    b.tick();
    assertThat(b.cluster().phase()).isNotEqualTo(Cluster.Phase.UP);
  }

  @Test
  void renameIsUndoneByTheOppositeRename() {
    rename("lab", "pod");
    var first = b.later();

    rename("pod", "lab");

    assertThat(b.cluster().spec().name()).isEqualTo("lab");
    for (var name : List.of("lab", "pod")) {
      assertThat(b.views().cluster(name).name()).isEqualTo("lab");
      assertThat(b.views().cluster(name).uid()).isEqualTo(b.uid);
    }
    assertThat(b.cluster().prefix()).isEqualTo("lab");

    var before = b.ledger.under("");
    b.changes.apply(
        new UserCommand.ApplyCluster(named("pod"), Optional.of("lab"), false), first, "ada");
    assertThat(b.ledger.under("")).as("a late repeat").containsExactlyElementsOf(before);

    rename("lab", "pod");
    rename("pod", "cat");
    rename("cat", "lab");
    assertThat(b.cluster().spec().name()).isEqualTo("lab");
    b.apply(spec(pool(0, 3, ReconcileFixture.ZONE)), b.later());
    assertThat(b.cluster().spec().pools().getFirst().max()).isEqualTo(3);
  }

  @Test
  void repeatedRenameChangesNothingAndOldNameIsRefused() {
    var at = b.later();
    var rename = new UserCommand.ApplyCluster(named("pod"), Optional.of("lab"), false);
    b.changes.apply(rename, at, "ada");
    var before = b.ledger.under("");

    b.changes.apply(rename, at, "ada");

    assertThat(b.ledger.under("")).containsExactlyElementsOf(before);
    assertThatThrownBy(() -> b.apply(spec(pool(0, 3, ReconcileFixture.ZONE)), b.later()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cluster lab is called pod now")
        .hasMessageContaining("`formerly: pod`");
  }

  @Test
  void formerNameOfLiveClusterIsNotTaken() {
    b.apply(named("pod"), b.later());

    assertThatThrownBy(() -> rename("lab", "pod"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("lab and pod are two different clusters");
    assertThat(b.views().cluster("lab").name()).isEqualTo("lab");
  }

  @Test
  void unknownFormerNameMakesNewCluster() {
    rename("nobody", "pod");

    assertThat(b.views().cluster("pod").uid()).isNotEqualTo(b.uid);
  }

  private void rename(String from, String to) {
    b.changes.apply(
        new UserCommand.ApplyCluster(named(to), Optional.of(from), false), b.later(), "ada");
  }

  private static ClusterSpec named(String name) {
    var spec = spec(pool(0, 10, ReconcileFixture.ZONE));
    return ClusterBuilder.named(name).bucket(spec.bucket()).pools(spec.pools()).build();
  }

  @Test
  void nameIsFreeOnceClusterIsGone() {
    b.job("reddit", 1);
    b.tick();
    b.changes.down("lab", b.later());

    assertThatThrownBy(() -> b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), b.later()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is being taken down");
  }

  @Test
  void reusedNameIsNewClusterDespiteLateRepeat() {
    var first = b.later();
    b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), first);
    b.takeDown();

    b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), first);
    assertThat(b.ledger.query(new LedgerQuery.Clusters(false)).requireComplete()).isEmpty();
    b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), b.later());

    var now = b.ledger.query(new LedgerQuery.Clusters(false)).requireComplete().getFirst().value();
    assertThat(now.uid()).isNotEqualTo(b.uid);
  }

  @Test
  void fileFromBeforeClusterEndIsRefused() {
    b.takeDown();
    var goingStill = b.time.instant().minusSeconds(30);

    assertThatThrownBy(() -> b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), goingStill))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("was still being taken down");
  }

  @Test
  void lateDownDoesNotEndNextCluster() {
    var first = b.later();
    b.changes.down("lab", first);
    b.tick();
    b.apply(spec(pool(0, 1, ReconcileFixture.ZONE)), b.later());

    b.changes.down("lab", first);

    assertThat(
            b.ledger
                .query(new LedgerQuery.Clusters(false))
                .requireComplete()
                .getFirst()
                .value()
                .phase())
        .isEqualTo(Cluster.Phase.UP);
  }

  @Test
  void downStopsTheJobsAndDrainsTheWorkers() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.makeReady(name);

    b.changes.down("lab", b.later());
    b.tick();

    var job = b.ledger.read(new DocumentKey.OfJob(b.uid, "uid-reddit")).orElseThrow().value();
    assertThat(job.state()).isInstanceOf(JobState.Finishing.class);
    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Draining.class,
            s -> assertThat(s.deadline()).isEqualTo(b.time.instant().plusSeconds(30)));
  }

  @Test
  void drainAffectsKnownWorkersOnly() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.makeReady(name);

    b.changes.drain("lab", name, b.time.instant());

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Draining.class);
    assertThatThrownBy(() -> b.changes.drain("lab", "lab-cpu-x", b.time.instant()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cluster lab has no worker lab-cpu-x");
    assertThatThrownBy(() -> b.changes.drain("other", name, b.time.instant()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("there is no cluster other; known clusters: lab");
  }
}
