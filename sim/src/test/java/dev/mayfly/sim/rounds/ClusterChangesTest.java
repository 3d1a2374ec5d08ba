package dev.mayfly.sim.rounds;

import static dev.mayfly.sim.rounds.Bench.pool;
import static dev.mayfly.sim.rounds.Bench.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.control.JobView;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.control.SliceChanges;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterChangesTest {
  private final Bench b = new Bench();

  private Instant later() {
    b.time.pass(Duration.ofSeconds(1));
    return b.time.instant();
  }

  private void gone() {
    b.changes.down("lab", later());
    b.tick();
    assertThat(b.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
  }

  @Test
  void aRepeatedMessageChangesNothing() {
    var at = later();
    b.apply(spec(pool(1, 5, Bench.ZONE)), at);
    var before = b.ledger.under("");

    b.apply(spec(pool(1, 5, Bench.ZONE)), at);

    assertThat(b.ledger.under("")).containsExactlyElementsOf(before);
  }

  @Test
  void anOldFileThatComesAgainChangesNothing() {
    var first = later();
    b.apply(spec(pool(0, 10, Bench.ZONE)), first);
    b.apply(spec(pool(0, 2, Bench.ZONE)), later());

    b.apply(spec(pool(0, 10, Bench.ZONE)), first);

    assertThat(b.cluster().spec().pools().getFirst().max()).isEqualTo(2);
    assertThat(b.cluster().generation()).isEqualTo(2);
  }

  @Test
  void theSameFileOnceMoreIsTheNewestWord() {
    b.apply(spec(pool(0, 2, Bench.ZONE)), later());
    var between = later();
    b.apply(spec(pool(0, 2, Bench.ZONE)), later());

    b.apply(spec(pool(0, 10, Bench.ZONE)), between);

    assertThat(b.cluster().spec().pools().getFirst().max()).isEqualTo(2);
  }

  @Test
  void anotherSpecIsTheNextGenerationOfTheSameCluster() {
    b.apply(spec(pool(1, 5, Bench.ZONE)), later());

    assertThat(b.cluster().generation()).isEqualTo(2);
    assertThat(b.cluster().spec().pools().getFirst().min()).isEqualTo(1);
  }

  @Test
  void aSpecThatWasEditedByHandIsToldUntilItsFileIsAppliedAgain() {
    var file = b.cluster().spec();
    assertThat(b.views().cluster("lab").troubles()).isEmpty();

    edit(spec(pool(0, 7, Bench.ZONE)));
    assertThat(b.views().cluster("lab").troubles())
        .singleElement()
        .asString()
        .contains("changed by hand after generation 1");

    b.apply(file, later());
    assertThat(b.cluster().spec()).isEqualTo(file);
    assertThat(b.views().cluster("lab").troubles()).isEmpty();
  }

  @Test
  void aSliceThatIsMadeMeanwhileDoesNotHideWhatWasEdited() {
    edit(spec(pool(0, 7, Bench.ZONE)));

    new SliceChanges(b.ports, Rules.DEFAULT)
        .create(
            new Command.CreateSlice(
                "lab",
                "big",
                "v4-128",
                1,
                Provisioning.RESERVED,
                Optional.of("r1"),
                Optional.empty(),
                Optional.of("us-central2-b"),
                Optional.empty()),
            later());

    assertThat(b.cluster().generation()).isEqualTo(2);
    assertThat(b.views().cluster("lab").troubles())
        .singleElement()
        .asString()
        .contains("changed by hand");
  }

  /** As somebody in the console would. */
  private void edit(ClusterSpec spec) {
    var stored = b.ledger.read(new Key.OfCluster(b.uid)).orElseThrow();
    var was = stored.value();
    var edited = was.changed(spec, was.generation(), was.versions());
    b.ledger.commit(List.of(new Write.Update(edited, stored.version())));
  }

  @Test
  void aClusterThatIsRenamedIsFoundByBothNamesAndKeepsAllThatItHas() {
    b.job("reddit", 1);
    b.tick();
    var machine = b.only().name();

    rename("lab", "pod");

    assertThat(b.cluster().uid()).isEqualTo(b.uid);
    for (var name : List.of("lab", "pod")) {
      assertThat(b.views().cluster(name).name()).isEqualTo("pod");
      assertThat(b.views().workers(name, false)).extracting(WorkerView::name).contains(machine);
      assertThat(b.views().jobs(name, 10)).extracting(JobView::name).containsExactly("reddit");
    }
    assertThat(b.cluster().prefix()).as("what rights go by").isEqualTo("lab");

    b.changes.down("pod", later());
    b.tick();
    assertThat(b.cluster().phase()).isNotEqualTo(Cluster.Phase.UP);
  }

  @Test
  void aRenameThatIsRepeatedChangesNothingAndAFileWithTheOldNameIsRefused() {
    var at = later();
    var rename = new Command.ApplyCluster(named("pod"), Optional.of("lab"));
    b.changes.apply(rename, at);
    var before = b.ledger.under("");

    b.changes.apply(rename, at);

    assertThat(b.ledger.under("")).containsExactlyElementsOf(before);
    assertThatThrownBy(() -> b.apply(spec(pool(0, 3, Bench.ZONE)), later()))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("cluster lab is called pod now");
  }

  @Test
  void whatWasCalledSoIsNotTakenFromAClusterThatIsThere() {
    b.apply(named("pod"), later());

    assertThatThrownBy(() -> rename("lab", "pod"))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("cluster lab is another one, beside cluster pod");
    assertThat(b.views().cluster("lab").name()).isEqualTo("lab");
  }

  @Test
  void aFormerNameThatNobodyHasMakesANewCluster() {
    rename("nobody", "pod");

    assertThat(b.views().cluster("pod").uid()).isNotEqualTo(b.uid);
  }

  private void rename(String from, String to) {
    b.changes.apply(new Command.ApplyCluster(named(to), Optional.of(from)), later());
  }

  private static ClusterSpec named(String name) {
    var spec = spec(pool(0, 10, Bench.ZONE));
    return new ClusterSpec(name, spec.bucket(), Map.of(), spec.pools(), Optional.empty());
  }

  @Test
  void aNameIsFreeOnlyWhenItsClusterIsGone() {
    b.job("reddit", 1);
    b.tick();
    b.changes.down("lab", later());

    assertThatThrownBy(() -> b.apply(spec(pool(0, 1, Bench.ZONE)), later()))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("is being taken down");
  }

  @Test
  void theNextClusterOfANameIsAnotherOneAndALateRepeatIsNoCluster() {
    var first = later();
    b.apply(spec(pool(0, 1, Bench.ZONE)), first);
    gone();

    b.apply(spec(pool(0, 1, Bench.ZONE)), first);
    assertThat(b.ledger.query(new Query.Clusters(false)).complete()).isEmpty();
    b.apply(spec(pool(0, 1, Bench.ZONE)), later());

    var now = b.ledger.query(new Query.Clusters(false)).complete().getFirst().value();
    assertThat(now.uid()).isNotEqualTo(b.uid);
  }

  @Test
  void aFileFromBeforeTheEndIsRefusedAndTold() {
    gone();
    var goingStill = b.time.instant().minusSeconds(30);

    assertThatThrownBy(() -> b.apply(spec(pool(0, 1, Bench.ZONE)), goingStill))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("was still being taken down");
  }

  @Test
  void aLateRepeatOfDownDoesNotTakeTheNextClusterDown() {
    var first = later();
    b.changes.down("lab", first);
    b.tick();
    b.apply(spec(pool(0, 1, Bench.ZONE)), later());

    b.changes.down("lab", first);

    assertThat(b.ledger.query(new Query.Clusters(false)).complete().getFirst().value().phase())
        .isEqualTo(Cluster.Phase.UP);
  }

  @Test
  void downStopsTheJobsAndDrainsTheWorkers() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.speak(name);

    b.changes.down("lab", later());
    b.tick();

    var job = b.ledger.read(new Key.OfJob(b.uid, "uid-reddit")).orElseThrow().value();
    assertThat(job.state()).isInstanceOf(JobState.Finishing.class);
    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Draining.class,
            s -> assertThat(s.deadline()).isEqualTo(b.time.instant().plusSeconds(30)));
  }

  @Test
  void aWorkerIsDrainedOnRequestAndAnUnknownOneIsToldSo() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.speak(name);

    b.changes.drain("lab", name, b.time.instant());

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Draining.class);
    assertThatThrownBy(() -> b.changes.drain("lab", "lab-cpu-x", b.time.instant()))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("cluster lab has no worker lab-cpu-x");
    assertThatThrownBy(() -> b.changes.drain("other", name, b.time.instant()))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("there is no cluster other; those that are up: lab");
  }
}
